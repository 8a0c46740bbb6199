# A load at a rate outlasts the window. The window has its exact length, and work is rate times time.

server_scenario web '' 2s rate <<'YAML'
measure: { window: 700ms, runs: 2 }
gates: { task-clock: +50% }
YAML
expect 0 run
holds '[.scenarios[0].runs[] | ."wall-time" >= 699 and ."wall-time" < 800] | all'
holds '[.scenarios[0].runs[] | .work / ."wall-time" * 1000 - .throughput | fabs < 0.01] | all'
# The server is busy for a millisecond per request and waits in between.
holds '[.scenarios[0].runs[] | ."task-clock" < 1.05 * ."wall-time"] | all'
