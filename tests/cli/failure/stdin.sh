# The target's standard input is empty. It neither waits for a terminal nor consumes pawl's input.

mk_scenario a 'target: { command: "cat; exit 0" }' 'measure: { runs: 2, timeout: 5s }' 'gates: { page-faults: +50% }'
echo 'for nobody' | expect 0 run
holds '.scenarios[0].state == "measured"'
