# If a target fails, pawl exits with 3, quotes its last lines and keeps its log. The other scenarios still run.

mk_scenario a <<'YAML'
target: { command: "seq 1 100; echo the last words; echo and the error >&2; exit 7" }
measure: { runs: 3 }
YAML
mk_quick b
expect 3 run
has "$out" 'exited with status 7' 'the last words' 'and the error'
result '.scenarios[0].failure'
holds '.status == 3 and .partial == false and [.scenarios[] | [.state, (.runs | length)]] == [["failed", 0], ["measured", 3]]'
[[ $(tail -n 2 pawl-out/latest/a/target.log) == $'the last words\nand the error' ]] || fail 'the log was not kept'
has pawl-out/latest/report.md 'the last words'
