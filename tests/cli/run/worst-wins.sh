# The worst scenario decides: 3 before 1 before 0. Each keeps its own status.

mk_scenario good 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { max-rss: { max: 512MiB } }'
mk_scenario over 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { max-rss: { max: 1KiB } }'
mk_scenario broken 'target: { command: "false" }' 'measure: { runs: 2 }'
expect 1 run good over
expect 3 run
holds '[.scenarios[] | [.name, .status]] == [["broken", 3], ["good", 0], ["over", 1]]'
expect 0 run good --strict
