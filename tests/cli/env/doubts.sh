# What makes a service's numbers say less than they seem to is told once, with what to do.
. "$LIB"

server_scenario web '' 0.2s rate <<'YAML'
measure: { window: 5s, runs: 2 }
gates: { task-clock: +50% }
YAML
expect 0 run
# Where the machine is so slow that starting the load takes a second, there is no such window; windows that were not
# counted are told of as well.
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
