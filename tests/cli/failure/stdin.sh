# The target's standard input is empty. It neither waits for a terminal nor consumes pawl's input.
. "$LIB"

mk_scenario a <<'YAML'
target: { command: "cat; exit 0" }
measure: { runs: 2, timeout: 5s }
gates: { page-faults: +50% }
YAML
echo 'for nobody' | expect 0 run
holds '.scenarios[0].state == "measured"'
