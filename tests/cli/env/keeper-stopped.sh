# A service that keeps stopping its parent, the keeper, does not delay the run.

mk_scenario stops <<YAML
env:
  - name: web
    command: "echo up; while :; do sleep 0.1; kill -STOP \$PPID; done"
    ready: { log: up }
  - { name: busy, command: "while :; do :; done" }
target: { service: busy }
warmup: { command: sleep 0.5 }
load: { command: sleep 2 }
measure: { window: 400ms, runs: 2 }
YAML
SECONDS=0
expect 0 run
[[ $SECONDS -lt 20 ]] || fail "took $SECONDS s"
