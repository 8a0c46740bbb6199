# A stored result is accepted as it was measured: its values, its commit, some of its scenarios.
. "$LIB"

mk_quick a
mk_quick b
expect 0 run
jq '.busy = []' pawl-out/latest/result.json >kept.json
rm -rf pawl-out
expect 0 baseline update --from kept.json --reason 'from the shards' a
find baselines -type f | sed -E 's#/[^/]*$#/CLASS.json#'
[[ ! -e pawl-out ]] || fail 'something was measured'
expect 2 baseline update --from kept.json --reason x nope
expect 2 baseline update --from nowhere --reason x
jq '.sessions[0].reason' baselines/a/*.json
