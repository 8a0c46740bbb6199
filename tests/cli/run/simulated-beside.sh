# Where there are no counters, gates on instructions are judged by simulation beside the counted runs.
. "$LIB"

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
