# pawl keeps reading a daemon's output after the process that started it has ended.

mk_scenario talks <<YAML
env:
  - { name: late, command: "(sleep 0.3; echo late words; exec sleep 3681) & exit 0", ready: { log: late, timeout: 5s } }
  - name: flood
    command: "(yes 'of no interest' | head -c 20000000; touch done; exec sh -c 'while :; do :; done') & exit 0"
    ready: { file: done, timeout: 20s }
target: { service: flood }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 1 }
YAML
expect 0 run
has pawl-out/latest/talks/late.log 'late words'
has pawl-out/latest/talks/flood.log 'bytes before this were not kept'
gone 'sleep 3681'
