# Children come and go all the time, even while perf attaches. perf attaches to the lasting process and
# counts its children.

mk_scenario restless <<'YAML'
env:
  - { name: restless, command: "while :; do sh -c 'i=0; while [ $$i -lt 2000 ]; do i=$$((i+1)); done'; done" }
target: { service: restless }
warmup: { runs: 0 }
measure: { window: 1s, runs: 3 }
YAML
expect 0 run
holds '[.scenarios[0].runs[] | ."cpu-time" > 20 and ."task-clock" > 0.6 * ."cpu-time"] | all'
