# What a baseline accepted is kept, and decides times in pairs, however old it is: small changes that add up are caught.
. "$LIB"

mk_spin 200
expect 0 baseline update spin --no-profile
has "$err" 'kept this build'
[[ ! -e $(echo "$XDG_CACHE_HOME"/pawl/trees/*/accepted-*/pawl-out) ]] || fail 'results were kept too'
commit_all 'accept spin'
accepted=$(jq -r '.sessions[-1].commit' baselines/spin/*.json)

# Of 2 % each, so that stored times see none of them.
for rounds in 204 208 212; do
  respin $rounds
  commit_all "$rounds rounds"
done
builds >"$CASE_DIR/kept/before"
expect 0 run spin --no-profile --no-confirm
lacks "$err" 'in pairs'
expect 1 run spin --no-profile --no-explain -v
has "$err" "comparing 1 scenario in pairs with the accepted build of $accepted"
has "$out" "in pairs with the accepted build of $accepted"
holds '.scenarios[0].gates[0] | .verdict == "regression" and .pairs >= 10 and .low_pct > 2 and .tolerance_pct == 2'
builds | diff "$CASE_DIR/kept/before" - || fail 'the accepted build was built again'

# The same program passes, and so does a faster one as an improvement.
respin 200
expect 0 run spin --no-profile -v
holds '.scenarios[0].gates[0] | .verdict == "pass" and .pairs >= 6'
has "$out" "in pairs with the accepted build of $accepted"

# What was measured is kept as it was, also with files that are not committed.
respin 300
expect 0 baseline update spin --no-profile --reason 'more to do'
respin 200
expect 0 run spin --no-profile --no-explain
has "$err" 'with the accepted build of' '+dirty'
holds '.scenarios[0].gates[0] | .verdict == "improvement" and .high_pct < -20'
commit_all 'accept more'

# A stored result is of this tree as long as nothing in it changed.
respin 310
expect 1 run spin --no-profile --no-explain
expect 0 baseline update spin --from pawl-out/latest --reason 'still more'
has "$err" 'kept this build'
touch spin.c
expect 0 baseline update spin --from pawl-out/latest --reason 'the same again'
has "$err" 'this build is not kept' 'spin.c changed since it was measured'
