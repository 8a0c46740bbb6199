# With gigabytes of output pawl reads on, keeps the end, and stays small.

mk_scenario flood <<'YAML'
env:
  - { name: flood, command: "yes 'a line of no interest whatsoever' | head -c 2000000000; echo; echo the end; touch done; exec sleep 3672", ready: { file: done } }
target: { service: flood }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 1 }
YAML
expect 3 run
has "$out" 'the target was idle'
has pawl-out/latest/flood/flood.log 'bytes before this were not kept' 'the end'
[[ $(stat -c %s pawl-out/latest/flood/flood.log) -lt 100000 ]] || fail 'the log is large'
