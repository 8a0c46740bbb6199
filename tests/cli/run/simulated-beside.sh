# Without hardware counters, gates on instructions are judged by simulation, in addition to the counted runs.

need valgrind
[[ $("$PAWL" doctor --json | jq -r .machine.tier) != hw* ]] || skip 'this machine has hardware counters'
mk_scenario a <<'YAML'
target: { command: "true" }
measure: { runs: 2, timeout: 100s }
gates: { instructions: default, page-faults: +50% }
YAML
expect 0 run
holds '.scenarios[0].runs[0]["sim-instructions"] > 10000 and .scenarios[0].runs[0]["task-clock"] > 0'
holds '.machine.tier != "sim" and ([.scenarios[0].gates[] | .simulated] == [true, false])'

# Branches and caches are simulated only if gated, because each takes as long again.
holds '.scenarios[0].runs[0] | has("sim-branches") or has("sim-l1d-loads") | not'
first=$(result '.scenarios[0].runs[0]["sim-instructions"]')
sed -i 's/gates: {/gates: { branch-miss-rate: default,/' scenarios/a.yaml
expect 0 run
holds '.scenarios[0].runs[0] | .["sim-branches"] > 1000 and .["sim-branch-miss-rate"] > 0 and (has("sim-l1d-loads") | not)'
holds "(.scenarios[0].runs[0][\"sim-instructions\"] / $first - 1 | fabs) < 0.005"
sed -i 's/branch-miss-rate/sim-l1d-misses/' scenarios/a.yaml
expect 0 run
holds '.scenarios[0].runs[0] | .["sim-l1d-loads"] > 1000 and (has("sim-branches") | not)'
