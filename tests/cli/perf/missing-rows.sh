# An event that perf leaves out of its output is not measured; the others are.
. "$LIB"

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] || sed -i '/minor-faults/d' "$file"
exit $status
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 2, events: [minor-faults] }
gates: { page-faults: +50%, minor-faults: +10% }
YAML
expect 0 run
result '.scenarios[0].gates[] | "\(.metric) \(.verdict) \(.reason)"'
holds '.scenarios[0].runs | all(.["minor-faults"] == null and .["task-clock"] > 0)'
