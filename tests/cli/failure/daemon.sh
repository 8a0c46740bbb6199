# The same for a daemon that left its session and its parent and ignores every signal it can.

need python3
marker=daemon-$$-here
cat >daemon.py <<'PY'
import os, signal, sys, time
if os.fork():
    sys.exit(0)
os.setsid()
if os.fork():
    os._exit(0)
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
os.closerange(0, 256)
os.chdir("/")
time.sleep(300)
PY
mk_scenario a <<YAML
target: { command: [python3, daemon.py, $marker] }
measure: { runs: 2 }
YAML
mk_quick b
expect 3 run
gone "$marker"
result '.scenarios[0].failure' | sed -E 's/\([0-9]+\)/(PID)/g'
holds '[.scenarios[].state] == ["failed", "measured"]'
