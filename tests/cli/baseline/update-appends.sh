# The same program under the same scenario adds a session without a reason, up to ten sessions.

mk_quick a
expect 0 baseline update --reason 'the first'
for _ in 2 3; do
  expect 0 baseline update
  has "$err" 'added to a'
done
jq -c '[(.sessions | length), .sessions[0].reason]' baselines/a/*.json
for _ in 4 5 6 7 8 9 10 11 12; do expect 0 baseline update -q; done
jq '.sessions | length' baselines/a/*.json
