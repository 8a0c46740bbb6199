# What a baseline accepted is kept, and decides times in pairs, however old it is: small changes that add up are caught.

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
holds '.scenarios[0].gates[0] | .verdict == "regression" and .pairs >= 10 and .low_pct > 0 and .tolerance_pct == 2'
builds | diff "$CASE_DIR/kept/before" - || fail 'the accepted build was built again'
