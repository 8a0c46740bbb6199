# The first acceptance writes one pretty-printed file per scenario and machine class, with its provenance: since when, by
# whom and why. list and show print it. diff compares the working tree's baselines with those of a commit.

mk_quick a
mk_quick b
mk_quick c
expect 0 baseline list
expect 0 baseline list --json
jq -c . "$out"
mk_repo
PAWL_USER=maintainer expect 0 baseline update --reason 'because | it must' a b
class=$(result .machine.class)
[[ $(find baselines -type f | sort | tr '\n' ' ') == "baselines/a/$class.json baselines/b/$class.json " ]] || fail "wrote $(find baselines)"
file=baselines/a/$class.json
jq -c '[keys_unsorted[0:3], (.sessions | length), (.sessions[0] | .reason, .commit != null, .date != null)]' "$file"
holds '.sessions[0].commit | length >= 12' "$file"
[[ $(stat -c %a "$file") == 644 ]] || fail 'others may not read it'

expect 0 baseline list
has "$out" 'scenario' 'a ' maintainer 'because | it must'
expect 0 baseline list --json
jq -c '.baselines[] | [.scenario, .sessions, .by, .reason]' "$out"
expect 0 baseline show a
has "$out" 'a on ' 'session 1: ' 'by maintainer: because | it must' page-faults
expect 0 baseline show --json
jq -c '.baselines | length' "$out"
refused baseline show c
refused baseline show ../scenarios

echo '-- another scenario needs a reason; its runs are kept meanwhile'
commit_all 'the first ones'
"$PAWL" baseline diff
before=$(cat "$file")
mk_quick a 'true it is'
expect 0 run a
jq '.busy = [] | .scenarios[0].runs[]["page-faults"] = 1000' pawl-out/latest/result.json >more.json
expect 2 baseline update --from more.json
has "$err" 'a: its code, its scenario or its speed changed' '--reason' '--from'
[[ $(cat "$file") == "$before" ]] || fail 'the baseline was changed'
PAWL_USER=somebody expect 0 baseline update --from more.json --reason 'more faults'
jq -c '.sessions | [length, .[0].reason, .[0].by]' "$file"
expect 0 baseline diff
has "$out" 'a/' 'more faults' page-faults
lacks "$out" 'b/'
expect 0 baseline diff --json
jq -c '.changed[] | [.scenario, .before, .reason, (.metrics[] | select(.metric == "page-faults") | .now)]' "$out"
commit_all 'accept'
"$PAWL" baseline diff
expect 0 baseline diff --judge HEAD~1
has "$out" 'more faults'
