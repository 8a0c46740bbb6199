# One invalid scenario stops everything. Valid scenarios are not measured either.
. "$LIB"

mk_quick good 'touch ../measured'
mk_scenario bad <<YAML
target: { command: }
YAML
"$PAWL" run || status=$?
nothing_measured
[[ ! -e ../measured ]] || fail 'the valid scenario was started'
exit "$status"
