# A child that ends a moment after its parent is not a failure.

mk_scenario a 'target: { command: "sleep 0.05 & true" }' 'measure: { runs: 2 }' 'gates: { page-faults: +50% }'
expect 0 run
holds '.scenarios[0] | .state == "measured" and (.runs | length) == 2'
