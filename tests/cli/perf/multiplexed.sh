# A value extrapolated from part of the time is not a measurement.
. "$LIB"

mk_perf <<'SH'
separator=$(sed -n 's/.* -x\([^ ]\) .*/\1/p' <<<"$*")
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] ||
  awk -F"$separator" -v OFS="$separator" '/minor-faults/ { $5 = "40.00" } { print }' "$file" >x && mv x "$file"
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
