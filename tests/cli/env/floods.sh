# With gigabytes of output pawl reads on, keeps the end, and stays small. It keeps reading a daemon's output after the
# process that started it has ended. An idle target gives no numbers.

mk_scenario flood <<'YAML'
env:
  - { name: flood, command: "yes 'a line of no interest whatsoever' | head -c 2000000000; echo; echo the end; touch done; exec sleep 3672", ready: { file: done } }
target: { service: flood }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 1 }
YAML
mk_scenario idle <<'YAML'
env:
  - { name: idle, command: [sleep, "3674"] }
target: { service: idle }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 2 }
gates: { task-clock: +5% }
YAML
mk_scenario talks <<YAML
env:
  - { name: late, command: "(sleep 0.3; echo late words; exec sleep 3681) & exit 0", ready: { log: late, timeout: 5s } }
  - name: flood
    command: "(yes 'of no interest' | head -c 20000000; touch talked; exec sh -c 'while :; do :; done') & exit 0"
    ready: { file: talked, timeout: 20s }
target: { service: flood }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 1 }
YAML
expect 3 run
gone 'sleep 3681'
has "$out" '3 windows in a row could not be counted: the target was idle'
holds '.scenarios | map(.name) == ["flood", "idle", "talks"] and all(.[0:2][]; .failure | test("the target was idle")) and .[2].status == 0'
holds '.scenarios[1] | .runs == [] and .gates[0].verdict == "not-measured"'
has pawl-out/latest/flood/flood.log 'bytes before this were not kept' 'the end'
[[ $(stat -c %s pawl-out/latest/flood/flood.log) -lt 100000 ]] || fail 'the log is large'
has pawl-out/latest/talks/late.log 'late words'
has pawl-out/latest/talks/flood.log 'bytes before this were not kept'
