# An interrupted run is not accepted from the stored result without --force.

mk_quick a
expect 0 run
jq '.busy = [] | .partial = true | .scenarios[0].state = "partial"' pawl-out/latest/result.json >partial.json
expect 3 baseline update --from partial.json --reason x
has "$err" 'not accepted: a: it was interrupted'
[[ ! -e baselines/a ]] || fail 'it was accepted all the same'
has "$err" '--force'
expect 0 baseline update --from partial.json --force
[[ -e baselines/a ]] || fail 'the runs that are complete were not accepted'
jq '.scenarios[0].runs = [] | .scenarios[0].raw = [] | .scenarios[0].event_groups = []' partial.json >none.json
rm -r baselines
expect 3 baseline update --from none.json --force
lacks "$err" '--force'
