"""Programs that keep the machine busy beside a comparison."""

import subprocess
import sys

# Comes and goes.
BURNER = """
import random, time
rng = random.Random()
end = time.monotonic() + 300
while time.monotonic() < end:
    busy = time.monotonic() + rng.uniform(0.3, 3)
    while time.monotonic() < busy:
        pass
    time.sleep(rng.uniform(0.1, 2))
"""
LOOP = "while True: pass"
started = []


def start(*sources):
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started.extend(subprocess.Popen([sys.executable, "-c", source], **quiet) for source in sources)


def stop():
    while started:
        one = started.pop()
        one.kill()
        one.wait()
