# One invalid scenario stops everything. Valid scenarios are not measured either.

mk_quick good 'touch ../measured'
mk_scenario bad 'target: { command: }'
"$PAWL" run || status=$?
nothing_measured
[[ ! -e ../measured ]] || fail 'the valid scenario was started'
exit "$status"
