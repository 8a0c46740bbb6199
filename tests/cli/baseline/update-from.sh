# A stored result is accepted as measured: its values, its commit, and selected scenarios. It may be that of a CI job, by its
# downloaded folder or the file in it.

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
file=$(echo baselines/a/*.json)
jq '.sessions[0].reason' "$file"

echo -- a damaged baseline is overwritten only with --force
echo '{"mine": ' >"$file"
expect 2 baseline update --from kept.json --reason second a
has "$err" damaged "$file" --force
[[ $(cat "$file") == '{"mine": ' ]] || fail 'it was overwritten'
expect 0 baseline update --from kept.json --reason second --force a
jq -r '.sessions[0].reason' "$file"

echo -- an interrupted run needs --force, and runs that are complete
jq '.partial = true | .scenarios[0].state = "partial"' first.json >partial.json
rm -r baselines
expect 3 baseline update --from partial.json --reason x
has "$err" 'not accepted: a: it was interrupted' '--force'
[[ ! -e baselines/a ]] || fail 'it was accepted all the same'
expect 0 baseline update --from partial.json --force
[[ -e baselines/a ]] || fail 'the runs that are complete were not accepted'
jq '.scenarios[0].runs = [] | .scenarios[0].raw = [] | .scenarios[0].event_groups = []' partial.json >none.json
rm -r baselines
expect 3 baseline update --from none.json --force
lacks "$err" '--force'

echo -- artifacts
mkdir -p artifacts/pawl-result-ubuntu
jq '.machine.part = "amd-epyc-7763-4cpu"' first.json >artifacts/pawl-result-ubuntu/result.json
refused baseline update --from artifacts --reason 'runner of CI'
expect 0 baseline update --from artifacts/pawl-result-ubuntu --reason 'runner of CI'
has "$err" 'accepted a' 'amd-epyc-7763-4cpu'
jq -r '.sessions[] | .reason' baselines/a/*amd-epyc-7763*.json
printf 'PK\003\004rest' >artifacts/pawl.zip
refused baseline update --from artifacts/pawl.zip --reason x
refused baseline update --from artifacts/pawl-result-ubuntu --reason ' ... '
# Runs of pairs affect each other, so they are not a baseline.
jq '.mode = "paired"' first.json >pairs.json
refused baseline update --from pairs.json --reason x

# A .gitignore for the built program also hides the baselines' folder, which is a warning.
git init -q .
for ignored in '' a '!/baselines/**'; do
  rm -r baselines
  echo "$ignored" >>.gitignore
  expect 0 baseline update --from first.json --reason 'the first one'
  if [[ $ignored == a ]]; then
    has "$err" 'warning: git ignores' 'add the line !/baselines/** to .gitignore'
  else
    lacks "$err" 'git ignores'
  fi
done
