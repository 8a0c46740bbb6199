# Interrupted during the simulation under valgrind, pawl keeps the counted runs.

need valgrind python3
marker=valgrind-$$-long
cat >long.py <<'PY'
import sys, time
if any("vgpreload" in line or "cachegrind" in line for line in open("/proc/self/maps")):
    time.sleep(300)
PY
mk_scenario a <<YAML
target: { command: [python3, -S, long.py, $marker] }
measure: { runs: 2, timeout: 300s }
gates: { sim-instructions: default }
YAML
for signal in INT TERM; do
  interrupted "$signal" "cachegrind.*$marker" run
  holds '.partial == true and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 2'
done
