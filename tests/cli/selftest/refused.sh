# What no pair can judge, or no burner can slow down, is refused before anything is measured.
. "$LIB"

mk_scenario limits <<'YAML'
target: { command: "true" }
gates: { max-rss: { max: 1GiB } }
YAML
mk_scenario running <<'YAML'
target: { pid: 1 }
gates: { task-clock: default }
YAML
expect 2 selftest limits
has "$err" 'limits: no gate is judged in pairs'
expect 2 selftest running
has "$err" 'this target is a running process; `pawl calibrate running` finds'
expect 2 selftest --tries 0 limits
nothing_measured
