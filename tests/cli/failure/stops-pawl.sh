# A target that stops pawl does not hang the job: its keeper wakes it.
. "$LIB"

cat >stop <<'SH'
#!/bin/bash
# The keeper's parent is pawl.
read -r _ _ _ pawl _ <"/proc/$PPID/stat"
kill -STOP "$pawl"
echo "$pawl" >>stopped
exec sleep 0.1
SH
chmod +x stop
mk_scenario a <<'YAML'
target: { command: [./stop] }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { page-faults: { max: 1000000 } }
YAML
status=0
setsid -w timeout -k 1 60 "$PAWL" run --no-profile >"$out" 2>"$err" || status=$?
[[ $status -eq 0 ]] || fail "status $status: $(cat "$err")"
[[ $(wc -l <stopped) -eq 2 ]] || fail 'pawl was not stopped'
