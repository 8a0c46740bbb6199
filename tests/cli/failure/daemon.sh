# Children that a target leaves behind are ended and named, and the run fails: a child, two hundred in sessions of their
# own, and a daemon that left its session and its parent and ignores every signal it can. What setup leaves ends with the
# scenario. A child that ends a moment after its parent is not a failure.

need python3
marker=left-$$-behind
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
cat >storm.sh <<'SH'
i=0
while [ $i -lt 200 ]; do
  setsid sh -c 'sleep 300; : '"$1" &
  i=$((i + 1))
done
SH
cat >setup.sh <<'SH'
setsid sh -c 'touch left; sleep 300; : '"$1" >/dev/null 2>&1 &
while [ ! -e left ]; do sleep 0.01; done
SH
printf '%s\n' "sh -c 'sleep 300; : '\"\$1\" &" 'echo started' >leave.sh
leaves() { mk_scenario "$1" "target: { command: $2 }" 'measure: { runs: 2 }' "${@:3}"; }
leaves child "[sh, leave.sh, $marker]"
leaves daemon "[python3, daemon.py, $marker]"
leaves storm "[sh, storm.sh, $marker]"
leaves setup '"true"' "setup: sh setup.sh $marker"
leaves ends '"sleep 0.05 & true"'
expect 3 run
gone "$marker"
[[ -e left ]] || fail 'setup did not run'
has "$out" 'the target ended but left' 'which pawl ended: sh ('
result '.scenarios[] | select(.name == "daemon").failure' | sed -E 's/\([0-9]+\)/(PID)/g'
holds '.scenarios[] | select(.name == "storm").failure | capture("left (?<n>[0-9]+) processes").n | tonumber >= 200'
result '.scenarios[] | "\(.name): \(.state), \(.runs | length) runs"'
