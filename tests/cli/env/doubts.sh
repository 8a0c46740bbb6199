# What makes a service's numbers say less than they seem to is told once, with what to do.
. "$LIB"

server_scenario web '' 0.2s rate <<'YAML'
measure: { window: 5s, runs: 2 }
gates: { task-clock: +50% }
YAML
expect 0 run
# Where the machine is so slow that starting the load takes a second, there is no such window.
holds '.scenarios[0] | ([.runs[] | select(."wall-time" < 1000)] | length) as $hasty |
  (.notes | map(select(startswith("in \($hasty) of 2 windows the load ended within a second: "))) | length) == ([$hasty, 1] | min)'

server_scenario web '' 2s rate <<'YAML'
measure: { window: 300ms, runs: 1 }
gates: { task-clock: +50%, max-rss: +50% }
YAML
expect 0 run
holds '.scenarios[0].notes == []'
sed -i '/^ *work:/d' scenarios/web.yaml
expect 0 run
holds '.scenarios[0].notes[0] | startswith("nothing tells how much work was done (load.work), so task-clock is that of")'
sed -i 's/task-clock: +50%, //' scenarios/web.yaml
expect 0 run
holds '.scenarios[0].notes == []'
