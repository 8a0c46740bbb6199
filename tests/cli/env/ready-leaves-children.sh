# Processes that a readiness command leaves are ended before measuring, and are never taken for the service.

mk_scenario leaves <<'YAML'
env:
  - name: busy
    command: "while :; do :; done"
    ready: { command: "setsid sleep 3682 & exit 0", timeout: 5s }
  - name: slow
    command: "while :; do :; done"
    ready: { command: "setsid sleep 3683 & test -e twice || { touch twice; exit 1; }", timeout: 5s }
target: { service: busy }
warmup: { runs: 0 }
load: { command: "! pgrep -f '^sleep 368[23]' && sleep 0.3" }
measure: { window: 200ms, runs: 1 }
YAML
expect 0 run
gone 'sleep 3682'
gone 'sleep 3683'

mk_scenario leaves <<'YAML'
env:
  - name: busy
    command: "while :; do :; done"
    ready: { command: "setsid sleep 3684 & exec sleep 3684", timeout: 500ms }
target: { service: busy }
cleanup: "! pgrep -f '^sleep 3684'"
YAML
expect 3 run
has "$out" 'did not succeed within 0.5 s'
lacks "$out" 'cleanup failed'
gone 'sleep 3684'
