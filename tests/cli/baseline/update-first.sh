# The first acceptance writes one pretty-printed file per scenario and machine class, with its provenance.

mk_quick a
mk_repo
expect 0 baseline update --reason 'the first'
class=$(result .machine.class)
[[ $(find baselines -type f) == "baselines/a/$class.json" ]] || fail "wrote $(find baselines)"
jq -c '[keys_unsorted[0:3], (.sessions | length), (.sessions[0] | .reason, .commit != null, .date != null)]' "baselines/a/$class.json"
holds '.sessions[0].commit | length >= 12' "baselines/a/$class.json"
[[ $(stat -c %a "baselines/a/$class.json") == 644 ]] || fail 'others may not read it'
