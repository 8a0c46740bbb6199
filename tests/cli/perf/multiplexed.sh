# A value extrapolated from part of the time is not a measurement.
. "$LIB"

mk_perf <<'SH'
separator=$(sed -n 's/.* -x\([^ ]\) .*/\1/p' <<<"$*")
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] ||
  awk -F"$separator" -v OFS="$separator" '/cpu-migrations/ { $5 = "40.00" } { print }' "$file" >x && mv x "$file"
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
