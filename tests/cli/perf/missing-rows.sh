# An event that perf leaves out of its output is not measured; the others are.
. "$LIB"

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] || sed -i '/cpu-migrations/d' "$file"
exit $status
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 2, events: [cpu-migrations] }
gates: { page-faults: +50%, cpu-migrations: +10% }
YAML
expect 0 run
result '.scenarios[0].gates[] | "\(.metric) \(.verdict) \(.reason)"'
holds '.scenarios[0].runs | all(.["cpu-migrations"] == null and .["task-clock"] > 0)'
