# An accepted program that is measured again passes, even with --strict.

mk_scenario a <<'YAML'
target: { command: [sh, -c, "for i in 1 2 3; do echo $$i; done"] }
measure: { runs: 5 }
gates: { page-faults: +10% }
YAML
expect 0 baseline update --reason 'the first'
expect 0 run --strict
lacks "$out" 'NOTHING WAS COMPARED' 'for the first time'
has "$out" 'pass  a'
holds '.scenarios[0].gates[0] | .verdict == "pass" and .baseline > 0 and .n_baseline == 5 and .n_current == 5'
holds '.scenarios[0].gates[0] | .tolerance_pct == 10 and (.change_pct | fabs) < 10'
