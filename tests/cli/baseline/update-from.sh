# A stored result is accepted as measured: its values, its commit, and selected scenarios.

mk_quick a
mk_quick b
expect 0 run
jq '.busy = []' pawl-out/latest/result.json >kept.json
rm -rf pawl-out
expect 0 baseline update --from kept.json --reason 'from the shards' a
find baselines -type f | sed -E 's#/[^/]*$#/CLASS.json#'
[[ ! -e pawl-out ]] || fail 'something was measured'
expect 2 baseline update --from kept.json --reason x nope
has "$err" "kept.json holds no scenario 'nope'"
# One unknown name refuses all.
expect 2 baseline update --from kept.json --reason x a nope
[[ ! -e baselines/b ]] || fail 'b was accepted unasked'
expect 0 baseline update --from kept.json scenarios/b.yaml
[[ -e baselines/b ]] || fail 'the path of a scenario does not name it'
# A merged result is as busy as its parts.
jq '.scenarios |= [.[0]]' kept.json >first.json
jq '.scenarios |= [.[1]] | .busy = ["others"]' kept.json >second.json
expect 0 report first.json second.json --json
cp "$out" merged.json
rm -r baselines/b
expect 0 baseline update --from merged.json --reason x b
[[ $(jq -c '.sessions[].busy' baselines/b/*.json) == '["others"]' ]] || fail 'it was not stored that the machine was busy'
expect 2 baseline update --from nowhere --reason x
jq '.sessions[0].reason' baselines/a/*.json
