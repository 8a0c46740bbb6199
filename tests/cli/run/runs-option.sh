# --runs and --tag. A budget that ends before all runs is reported.

mk_scenario a <<'YAML'
tags: [slow]
target: { command: sleep 0.15 }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
mk_quick b
expect 0 run --tag slow --runs 4
holds '[.scenarios[].name] == ["a"] and (.scenarios[0].runs | length) == 4 and .scenarios[0].runs_wanted == 4'
expect 0 run a --runs 50 --budget 1s
holds '.scenarios[0] | (.runs | length) < 20 and (.runs | length) > 0 and (.notes | tostring | contains("the budget of 1 s ended"))'
