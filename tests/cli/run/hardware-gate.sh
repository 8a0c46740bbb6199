# Without hardware counters a gate on them is not-measured. pawl warns and exits with 0, or with 4 under --strict.

[[ $("$PAWL" doctor --json | jq -r .machine.tier) != hw* ]] || skip 'this machine has hardware counters'
mk_scenario a <<'YAML'
target: { command: "true" }
measure: { runs: 2, counters: perf }
gates: { instructions: +1%, ipc: -10% }
YAML
expect 0 run
first_line_has "$out" 'NOTHING WAS COMPARED'
has "$out" 'NOT MEASURED' 'no hardware counters'
holds '[.scenarios[0].gates[].verdict] == ["not-measured", "not-measured"]'
holds '.scenarios[0].runs[0] | .instructions == null and .ipc == null'
expect 4 run --strict
