# A missing CPU fails the scenario, and the error names it.
. "$LIB"

mk_scenario a <<'YAML'
target: { command: "true" }
measure: { runs: 2, cpus: "1000" }
YAML
expect 3 run
result '.scenarios[0].failure'
