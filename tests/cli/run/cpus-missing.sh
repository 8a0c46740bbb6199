# A missing CPU fails the scenario, and the error names it.

mk_scenario a 'target: { command: "true" }' 'measure: { runs: 2, cpus: "1000" }'
expect 3 run
result '.scenarios[0].failure'
