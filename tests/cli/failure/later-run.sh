# If a target fails in a later run, the earlier runs are kept.

mk_scenario a 'target: { command: "echo x >>n; test $$(wc -l <n) -lt 4 || exit 1" }' 'measure: { runs: 5 }'
expect 3 run
result '.scenarios[0].failure'
holds '.scenarios[0] | .state == "failed" and (.runs | length) == 2'
