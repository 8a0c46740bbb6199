# A required gate that cannot be measured is status 3, not a warning.

mk_perf <<'SH'
# Counts nothing but the software events, as where there is no PMU.
"$REAL_PERF" "$@"
status=$?
[[ ! -f $file ]] || sed -i -E 's/^[^|;\x1f]*(.*instructions)/<not supported>\1/' "$file"
exit $status
SH
mk_scenario a <<'YAML'
target: { command: "true" }
measure: { runs: 2, counters: perf }
gates: { instructions: { max-increase: 1%, required: true } }
YAML
expect 3 run
first_line_has "$out" 'NOTHING WAS COMPARED'
has "$out" 'NOT MEASURED a instructions'
holds '.status == 3 and .scenarios[0].gates[0].verdict == "not-measured" and .scenarios[0].gates[0].required'
