# A failing prepare fails the scenario. A failing cleanup is only reported.

mk_scenario a 'prepare: echo cannot prepare; exit 1' 'target: { command: "true" }' 'cleanup: touch cleaned'
mk_scenario b <<'YAML'
target: { command: "true" }
measure: { runs: 2 }
gates: { page-faults: +50% }
cleanup: exit 5
YAML
expect 3 run
[[ -e cleaned ]] || fail 'cleanup did not run'
result '.scenarios[0].failure'
has "$out" 'cannot prepare'
result '.scenarios[1] | .state, .notes[]'
