# <not supported> and <not counted> are not zero.
. "$LIB"

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] ||
  sed -i -E -e '/cpu-migrations/s/^[0-9.]+/<not supported>/' -e '/context-switches/s/^[0-9.]+/<not counted>/' "$file"
exit $status
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 2, events: [cpu-migrations, context-switches] }
gates: { cpu-migrations: { max: 100000 }, context-switches: { max: 100000, required: true } }
YAML
expect 3 run
result '.scenarios[0].gates[] | "\(.metric) \(.verdict) \(.reason)"'
holds '.scenarios[0].runs | all(.["cpu-migrations"] == null and .["context-switches"] == null)'
