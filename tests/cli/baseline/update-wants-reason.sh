# Replacing the baseline of a changed scenario needs a reason. The runs are kept meanwhile.

mk_quick a
expect 0 baseline update --reason 'the first'
before=$(cat baselines/a/*.json)
mk_quick a 'true it is'
PAWL_USER=somebody expect 0 run
jq '.busy = []' pawl-out/latest/result.json >quiet.json
expect 2 baseline update --from quiet.json
has "$err" 'a: its code, its scenario or its speed changed' '--reason' '--from'
[[ $(cat baselines/a/*.json) == "$before" ]] || fail 'the baseline was changed'
PAWL_USER=somebody expect 0 baseline update --from quiet.json --reason 'it is so'
jq -c '.sessions | [length, .[0].reason, .[0].by]' baselines/a/*.json
