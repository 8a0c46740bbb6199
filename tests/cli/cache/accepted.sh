# What was measured is kept as it was, also with files that are not committed, and a stored result only if it is of this tree.

mk_spin 60
expect 0 baseline update spin --no-profile
accepted=$(jq -r '.sessions[-1].commit' baselines/spin/*.json)
# The same program passes, and so does a faster one as an improvement.
respin 60
expect 0 run spin --no-profile -v
holds '.scenarios[0].gates[0] | .verdict == "pass" and .pairs >= 6'
has "$out" "in pairs with the accepted build of $accepted"

# With files that are not committed.
respin 90
expect 0 baseline update spin --no-profile --reason 'more to do'
respin 60
expect 0 run spin --no-profile --no-explain
has "$err" 'with the accepted build of' '+dirty'
holds '.scenarios[0].gates[0] | .verdict == "improvement" and .high_pct < -20'
# A scenario that changed since then runs on both sides, and the report says so.
sed -i 's|./spin }|[./spin, more] }|' scenarios/spin.yaml
expect 0 run spin --no-profile --no-explain
has "$out" 'the scenario changed since the baseline (its command differs); both sides ran it as it is now'
git checkout -q scenarios/spin.yaml
commit_all 'accept more'

# A stored result is of this tree as long as nothing in it changed.
respin 100
expect 1 run spin --no-profile --no-explain
expect 0 baseline update spin --from pawl-out/latest --reason 'still more'
has "$err" 'kept this build'
touch spin.c
expect 0 baseline update spin --from pawl-out/latest --reason 'the same again'
has "$err" 'this build is not kept' 'spin.c changed since it was measured'
