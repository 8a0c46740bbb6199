# Doubts about a service's numbers are reported once, with advice.

server_scenario web '' 0.2s rate <<'YAML'
measure: { window: 5s, runs: 2 }
gates: { task-clock: +50% }
YAML
expect 0 run
# On a machine so slow that the load takes a second to start, no window is that short.
# The note also covers windows that were not counted.
holds '.scenarios[0] | ([.runs[] | select(."wall-time" < 1000)] | length) as $hasty |
  (.notes | map(select(test("^in [1-9][0-9]* of [1-9][0-9]* windows the load ended within a second: "))) | length) as $told |
  $told <= 1 and ($hasty == 0 or $told == 1)'

server_scenario web '' 2s rate <<'YAML'
measure: { window: 300ms, runs: 1 }
gates: { task-clock: +50%, max-rss: +50% }
YAML
expect 0 run
holds '.scenarios[0].notes == []'
sed -i '/^ *work:/d' scenarios/web.yaml
expect 0 run
holds '.scenarios[0].notes[0] | startswith("how much work was done is not known (load.work), so task-clock is that of")'
sed -i 's/task-clock: +50%, //' scenarios/web.yaml
expect 0 run
holds '.scenarios[0].notes == []'
