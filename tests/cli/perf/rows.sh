# An event that perf leaves out, extrapolates, cannot count or never counted is not measured, never zero; the others are. perf
# 7.2 exits with 1 and no row if it supports no requested event. A row that cannot be read is an error that quotes it.

mk_perf <<'SH'
separator=$(sed -n 's/.* -x\([^ ]\) .*/\1/p' <<<"$*")
"$REAL_PERF" "$@"
status=$?
[[ -n $file && -e $file ]] || exit $status
case $(cat armed 2>/dev/null) in
  damaged) sed -i -E '/task-clock/s/^[0-9.]+/12,5x/' "$file" ;;
  missing) sed -i '/minor-faults/d' "$file" ;;
  multiplexed) awk -F"$separator" -v OFS="$separator" '/minor-faults/ { $5 = "40.00" } { print }' "$file" >x && mv x "$file" ;;
  none) printf '# started on Sat Nov 21 00:00:00 2026\n\n' >"$file" && status=1 ;;
  unsupported) sed -i -E -e '/minor-faults/s/^[0-9.]+/<not supported>/' -e '/alignment-faults/s/^[0-9.]+/<not counted>/' "$file" ;;
esac
exit $status
SH
# tampered KIND GATES: scenario KIND, whose rows are tampered with.
tampered() {
  mk_scenario "$1" "prepare: echo $1 >armed" 'target: { command: "true" }' 'cleanup: rm armed' \
    'measure: { runs: 2, events: [minor-faults, alignment-faults] }' "gates: { $2 }"
}
tampered damaged 'task-clock: +25%'
tampered missing 'page-faults: +50%, minor-faults: +10%'
tampered multiplexed 'page-faults: +50%, minor-faults: +10%'
tampered none 'task-clock: +25%, max-rss: { max: 1GiB }'
tampered unsupported 'minor-faults: { max: 100000 }, alignment-faults: { max: 100000, required: true }'
mk_scenario whole 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { task-clock: +25% }'
expect 3 run
result '.scenarios[] | "\(.name): \(.state), status \(.status)", (.failure // empty),
  (.gates[] | "  \(.metric) \(.verdict) \(.reason)")' | sed 's/^in run [12]/in run N/'
runs_of() { holds ".scenarios[] | select(.name == \"$1\") | .runs | length == 2 and all($2)"; }
runs_of missing '."minor-faults" == null and ."task-clock" > 0'
runs_of none '."task-clock" == null'
runs_of unsupported '."minor-faults" == null and ."alignment-faults" == null'
expect 4 run none --strict
