# A .gitignore for the built program also hides the baselines' folder. Accepting a baseline warns of it.

mk_quick a
git init -q .
expect 0 run
jq '.busy = []' pawl-out/latest/result.json >kept.json
expect 0 baseline update --from kept.json --reason 'the first one'
lacks "$err" 'git ignores'
rm -r baselines
echo a >.gitignore
expect 0 baseline update --from kept.json --reason 'the first one'
has "$err" 'warning: git ignores' 'add the line !/baselines/** to .gitignore'
echo '!/baselines/**' >>.gitignore
rm -r baselines
expect 0 baseline update --from kept.json --reason 'the first one'
lacks "$err" 'git ignores'
