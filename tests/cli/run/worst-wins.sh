# The worst scenario decides: 3 before 1 before 0. Each keeps its own status.
. "$LIB"

mk_scenario good <<'YAML'
target: { command: "true" }
measure: { runs: 2 }
gates: { max-rss: { max: 512MiB } }
YAML
mk_scenario over <<'YAML'
target: { command: "true" }
measure: { runs: 2 }
gates: { max-rss: { max: 1KiB } }
YAML
mk_scenario broken <<'YAML'
target: { command: "false" }
measure: { runs: 2 }
YAML
expect 1 run good over
expect 3 run
holds '[.scenarios[] | [.name, .status]] == [["broken", 3], ["good", 0], ["over", 1]]'
expect 0 run good --strict
