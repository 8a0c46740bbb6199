# All processes of the target are counted: workers, of which no process does all the work, children forked within a window, and
# children that come and go all the time, even while perf attaches to the lasting process.

server_scenario workers '--workers 4' 200 count <<<'measure: { runs: 2 }'
cat >forker.py <<'PY'
import os, time
print('up', flush=True)
while True:
    if not os.fork():
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass
        os._exit(0)
    os.wait()
PY
mk_scenario later <<'YAML'
env:
  - { name: forker, command: [python3, forker.py], ready: { log: '^up$' } }
target: { service: forker }
warmup: { runs: 0 }
measure: { window: 600ms, runs: 2 }
YAML
mk_scenario restless <<'YAML'
env:
  - { name: restless, command: "while :; do sh -c 'i=0; while [ $$i -lt 2000 ]; do i=$$((i+1)); done'; done" }
target: { service: restless }
warmup: { runs: 0 }
measure: { window: 1s, runs: 3 }
YAML
expect 0 run
# Nearly all CPU time is spent in children, which live for 50 ms each or less.
holds '[.scenarios[] | select(.name == "later").runs[] | ."cpu-time" > 50 and ."task-clock" > 0.6 * ."cpu-time"] | length == 2 and all'
holds '[.scenarios[] | select(.name == "restless").runs[] | ."cpu-time" > 20 and ."task-clock" > 0.6 * ."cpu-time"] | length == 3 and all'
holds '[.scenarios[] | select(.name == "workers").runs[] | ."task-clock" > 180] | length == 2 and all'
gone "$PWD/server.py"
