# A max needs no baseline. A value above it is a regression.

mk_scenario a 'target: { command: "true" }' 'measure: { runs: 3 }' 'gates: { max-rss: { max: 64KiB } }'
expect 1 run
first_line_has "$out" REGRESSION
lacks "$out" 'NOTHING WAS COMPARED'
holds '.scenarios[0].gates[0] | .verdict == "regression" and .max == 65536 and .current > .max'
