# <not supported> and <not counted> mean not measured, never zero.

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] ||
  sed -i -E -e '/minor-faults/s/^[0-9.]+/<not supported>/' -e '/alignment-faults/s/^[0-9.]+/<not counted>/' "$file"
exit $status
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 2, events: [minor-faults, alignment-faults] }
gates: { minor-faults: { max: 100000 }, alignment-faults: { max: 100000, required: true } }
YAML
expect 3 run
result '.scenarios[0].gates[] | "\(.metric) \(.verdict) \(.reason)"'
holds '.scenarios[0].runs | all(.["minor-faults"] == null and .["alignment-faults"] == null)'
