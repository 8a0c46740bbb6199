# counters: sim counts under valgrind. The number is the same every time and is marked as simulated.

need valgrind
mk_scenario a <<'YAML'
target: { command: [sh, -c, "for i in 1 2 3 4 5 6 7 8 9; do echo $$i; done"] }
measure: { runs: 2, counters: sim, timeout: 100s }
gates: { instructions: +1%, sim-branch-misses: { max: 100000000 } }
YAML
expect 0 baseline update --reason 'the first'
first=$(result '.scenarios[0].runs[0]["sim-instructions"]')
[[ $first -gt 10000 ]] || fail "sim-instructions: $first"
expect 0 run --strict
holds '.machine.tier == "sim" and .scenarios[0].runs[0].instructions == null'
holds '[.scenarios[0].gates[] | .simulated] | all'
holds "(.scenarios[0].runs[0][\"sim-instructions\"] / $first - 1 | fabs) < 0.005"
has "$out" simulated
holds '.scenarios[0].runs[0] | has("sim-branches") and has("sim-l1d-misses")'
