# A missing required program is named with status 3, and the other scenarios still run.

mk_scenario a 'requires: [sh, no-such-program-here]' 'target: { command: touch ../started }' 'measure: { runs: 2 }'
mk_quick b
expect 3 run
result '.scenarios[0].failure'
[[ ! -e ../started ]] || fail 'the target was started all the same'
holds '[.scenarios[] | [.state, (.runs | length)]] == [["failed", 0], ["measured", 3]]'
