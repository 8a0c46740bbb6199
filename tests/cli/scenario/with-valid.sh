# One invalid scenario is enough: nothing is measured, the valid one neither.
. "$LIB"

mk_quick good 'touch ../measured'
mk_scenario bad <<YAML
target: { command: }
YAML
"$PAWL" run || status=$?
nothing_measured
[[ ! -e ../measured ]] || fail 'the valid scenario was started'
exit "$status"
