# Children forked within a window are counted.

mk_server
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
mk_scenario forker <<'YAML'
env:
  - { name: forker, command: [python3, forker.py], ready: { log: '^up$' } }
target: { service: forker }
warmup: { runs: 0 }
measure: { window: 600ms, runs: 2 }
YAML
expect 0 run
# Nearly all CPU time is spent in children that live for 50 ms each.
holds '[.scenarios[0].runs[] | ."cpu-time" > 50 and ."task-clock" > 0.6 * ."cpu-time"] | all'
