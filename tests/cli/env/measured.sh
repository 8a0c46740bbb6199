# A server under load has windows with their work, values per unit of work, and a clean end.

server_scenario web '' 150 count <<'YAML'
metrics:
  - { name: p99-latency, regex: 'p99 ([0-9.]+) ms', unit: ms, better: lower }
measure: { runs: 3 }
gates: { task-clock: +50%, p99-latency: +100% }
YAML
expect 0 run
holds '.scenarios[0].runs | length == 3'
holds '[.scenarios[0].runs[].work] == [150, 150, 150]'
# Each request burns a millisecond.
holds '[.scenarios[0].runs[] | ."task-clock-per-work" > 0.9 and ."task-clock-per-work" < 20] | all'
holds '[.scenarios[0].runs[] | ."task-clock" / .work - ."task-clock-per-work" | fabs < 1e-6] | all'
holds '[.scenarios[0].runs[] | .throughput > 1 and ."p99-latency" > 0] | all'
holds '.scenarios[0].gates[] | select(.metric == "task-clock") | .per_work'
has pawl-out/latest/web/web.log 'listening on'
has pawl-out/latest/web/load.log 'did 150 requests'
[[ ! -e pawl-out/latest/web/target.log ]] || fail "the load's output is called the target's"
gone "$PWD/server.py"
