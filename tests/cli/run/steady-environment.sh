# Every run has an environment of the same size, because the size would move the stack.

mk_scenario a <<'YAML'
target: { command: "env | wc -c >>sizes; env | grep -cE '^PAWL_(JOB|LOCK)=' >>marks" }
measure: { runs: 6 }
gates: { page-faults: +50% }
YAML
expect 0 run
[[ $(sort -u sizes | wc -l) -eq 1 ]] || fail "sizes: $(cat sizes)"
sort -u marks
