# One invalid scenario stops everything: valid scenarios are not measured either. One that is selected by name runs.

mk_quick good 'touch ../measured'
mk_scenario bad 'target: { command: }'
refused run
nothing_measured
[[ ! -e ../measured ]] || fail 'the valid scenario was started'
"$PAWL" check good
expect 0 run good
holds '[.scenarios[].name] == ["good"]'
# An unknown name is one more fault, in any position.
expect 2 check bad nosuch good
has "$err" "nosuch: there is no scenario 'nosuch'" 'bad.yaml:2:20: target.command' '2 faults'
expect 2 check nosuch bad
has "$err" "there is no scenario 'nosuch'"
