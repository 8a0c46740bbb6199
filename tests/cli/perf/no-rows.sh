# perf 7.2 exits with 1 and no row if it supports no requested event. The events are not measured, never zero.

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ -e armed && -n $file && -e $file ]] || exit $status
printf '# started on Sat Nov 21 00:00:00 2026\n\n' >"$file"
exit 1
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 3 }
gates: { task-clock: +25%, max-rss: { max: 1GiB } }
YAML
expect 0 run
result '.scenarios[0].gates[] | "\(.metric) \(.verdict) \(.reason)"'
holds '.scenarios[0].runs | all(.["task-clock"] == null)'
rm armed
expect 4 run --strict
