"""How far pairs of a program with itself spread on this machine, by the way in which they are taken: a table of the
standard deviation of ln(head/base) of CPU time, in percent, with the number of pairs.

`pawl ab` takes a few pairs of each program and way, in turns, so that all of them meet the same hours and neighbours,
until SPREADS_SECONDS (150) are over. PAWL is the binary, MADE the program of made.c.
"""

import json
import math
import os
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

PAWL = os.path.abspath(os.environ["PAWL"])
MADE = os.path.abspath(os.environ["MADE"])
SECONDS = float(os.environ.get("SPREADS_SECONDS", 150))
WAYS = ("in-turn", "together")
PAIRS = 8  # of one program and way, before the next
WANTED_MS = 100
LEAST = 5  # pairs that a spread is shown of


def words(size):
    """Lines that compress like text, the same for every run."""
    rng = random.Random(1)
    known = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(3000)]
    return "\n".join(known[min(int(rng.expovariate(1 / 300)), 2999)] for _ in range(size // 6)).encode()


def file_of(name, size):
    with open("text", "rb") as file, open(name, "wb") as out:
        out.write(file.read(size))
    return name


# name: (command for a size, first size). Sizes are adjusted until a run takes WANTED_MS.
PROGRAMS = {
    "sort": (lambda size: ["sort", "-o", "/dev/null", file_of("sort", size)], 1_000_000),
    "gzip": (lambda size: ["gzip", "-c", file_of("gzip", size)], 2_000_000),
    "xz": (lambda size: ["xz", "-1", "-T1", "-c", file_of("xz", size)], 1_000_000),
    "python3": (lambda size: [sys.executable, "-S", "-c", f"s = 0\nfor i in range({size}): s += i * i % 7"], 1_000_000),
    "xz, two threads": (lambda size: ["xz", "-1", "-T2", "--block-size=200KiB", "-c", file_of("xz-2", size)], 1_200_000),
    **{
        f"made: {kind.replace('-', ' ')}{' MiB' if '-' in kind else ''}": (lambda size, kind=kind: [MADE, kind, str(size)], size)
        for kind, size in (("integers", 50_000_000), ("memory-1", 20_000_000), ("memory-8", 5_000_000), ("threads", 50_000_000))
    },
}


def cpu_ms(args):
    with subprocess.Popen(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"spreads: {shlex.join(args)} ended with {child.returncode}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def command(make, size):
    size = int(size * WANTED_MS / min(cpu_ms(make(size)) for _ in range(2)))
    return shlex.join(make(size))


def pairs(line, way):
    """ln(head/base) of each pair of LINE with itself."""
    done = subprocess.run(
        [PAWL, "ab", "-q", "--json", "--lock-wait", "10m", "--runs", str(PAIRS), "--pairs", way,
         "--out", "out", "--metric", "task-clock", line, line],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, timeout=300,
    )
    if done.returncode not in (0, 1):
        sys.exit(f"spreads: pawl ab ended with {done.returncode}")
    found = json.loads(done.stdout)["scenarios"][0]
    if found["failure"]:
        sys.exit(f"spreads: pawl ab could not compare {line} with itself: {found['failure']}")
    return [math.log(p["head"]["task-clock"] / p["base"]["task-clock"]) for p in found["pairs"]
            if found["pairing"]["way"] == way]


def cell(found):
    return f"{100 * statistics.stdev(found):6.2f} ({len(found)})" if len(found) >= LEAST else "-"


def main():
    start = time.monotonic()
    with open("text", "wb") as file:
        file.write(words(6_000_000))
    lines = {name: command(*made) for name, made in PROGRAMS.items()}
    found = {(name, way): [] for name in lines for way in WAYS}
    turns, took = list(found), 0.0
    while time.monotonic() - start + took < SECONDS:
        random.shuffle(turns)
        turns.sort(key=lambda turn: len(found[turn]))
        before = time.monotonic()
        found[turns[0]] += pairs(lines[turns[0][0]], turns[0][1])
        took = time.monotonic() - before
    print("A program in pairs with itself: spread of ln(head/base) of CPU time, % (pairs)")
    print(f"{'':22}" + "".join(f"{way.replace('-', ' '):>16}" for way in WAYS))
    for name in lines:
        print(f"{name:22}" + "".join(f"{cell(found[name, way]):>16}" for way in WAYS))
    print(f"{time.monotonic() - start:.0f} s, load {os.getloadavg()[0]:.1f} on {os.cpu_count()} CPUs")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        main()
