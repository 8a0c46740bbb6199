# baseline diff compares the working tree's baselines with those of a commit.

mk_quick a
mk_quick b
expect 0 baseline update --reason first
mk_repo
"$PAWL" baseline diff
expect 0 run a
jq '.busy = [] | .scenarios[0].runs[]["page-faults"] = 1000' pawl-out/latest/result.json >more.json
mk_quick a 'sleep 0.001'
jq '.scenarios[0].executable = "other"' more.json >changed.json
expect 0 baseline update --from changed.json --reason 'more faults'
expect 0 baseline diff
has "$out" 'a/' 'more faults' page-faults
lacks "$out" 'b/'
expect 0 baseline diff --json
jq -c '.changed[] | [.scenario, .before, .reason, (.metrics[] | select(.metric == "page-faults") | .now)]' "$out"
commit_all 'accept'
"$PAWL" baseline diff
expect 0 baseline diff --judge HEAD~1
has "$out" 'more faults'
