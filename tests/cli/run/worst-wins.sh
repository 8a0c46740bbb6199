# The worst scenario decides: 3 before 1 before 0. Each keeps its own status. A max needs no baseline: within it a scenario
# passes, even with --strict, and a value above it is a regression. A missing program or CPU fails a scenario, which names
# it.

mk_scenario allowed <<'YAML'
target: { command: "grep Cpus_allowed_list /proc/self/status >>allowed" }
warmup: { runs: 0 }
measure: { runs: 2, cpus: "0" }
YAML
mk_scenario broken 'target: { command: "false" }' 'measure: { runs: 2 }'
mk_scenario cpu 'target: { command: "true" }' 'measure: { runs: 2, cpus: "1000" }'
mk_scenario good 'target: { command: "true" }' 'measure: { runs: 3 }' 'gates: { max-rss: { max: 512MiB }, wall-time: { max: 30s } }'
mk_scenario over 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { max-rss: { max: 64KiB } }'
mk_scenario program 'requires: [sh, no-such-program-here]' 'target: { command: touch ../started }' 'measure: { runs: 2 }'
expect 1 run good over
first_line_has "$out" REGRESSION
lacks "$out" 'NOTHING WAS COMPARED'
holds '.scenarios[1].gates[0] | .verdict == "regression" and .max == 65536 and .current > .max'
expect 3 run
result '.scenarios[] | "\(.name): status \(.status), \(.runs | length) runs", (.failure // empty)' | sed 's/only 0.*/only .../'
[[ ! -e ../started ]] || fail 'the target was started all the same'
cat allowed
holds '.scenarios[0].settings.cpus == "0"'
expect 0 run good --strict
has "$out" 'pass  good'
holds '[.scenarios[0].gates[].verdict] == ["pass", "pass"]'
