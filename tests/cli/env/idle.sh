# An idle target gives no numbers.

mk_scenario idle <<'YAML'
env:
  - { name: idle, command: [sleep, "3674"] }
target: { service: idle }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 2 }
gates: { task-clock: +5% }
YAML
expect 3 run
has "$out" '3 windows in a row could not be counted: the target was idle'
holds '.scenarios[0].runs == [] and .scenarios[0].gates[0].verdict == "not-measured"'
