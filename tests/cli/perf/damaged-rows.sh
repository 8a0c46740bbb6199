# Unreadable perf output is an error that quotes the line, never a number.

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] || sed -i -E '/task-clock/s/^[0-9.]+/12,5x/' "$file"
exit $status
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 2 }
gates: { task-clock: +25% }
YAML
mk_scenario b <<'YAML'
setup: rm armed
target: { command: "true" }
measure: { runs: 2 }
gates: { task-clock: +25% }
YAML
expect 3 run
result '.scenarios[0].failure'
holds '.scenarios[1].state == "measured"'
