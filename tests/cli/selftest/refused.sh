# What no pair can judge, or no burner can slow down, is refused before anything is measured.

mk_scenario limits 'target: { command: "true" }' 'gates: { max-rss: { max: 1GiB } }'
mk_scenario running 'target: { pid: 1 }' 'gates: { task-clock: default }'
expect 2 selftest limits
has "$err" 'limits: no gate is judged in pairs'
expect 2 selftest running
has "$err" 'this target is a running process; `pawl calibrate running` finds'
expect 2 selftest --tries 0 limits
nothing_measured
