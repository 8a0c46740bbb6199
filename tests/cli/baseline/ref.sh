# With --judge, the commit's scenarios and baselines judge, whatever the working tree has. An unknown ref is misuse, and the
# error says how to fetch it.

mk_quick a
touch pawl.yaml
expect 0 baseline update --reason first
mk_repo
rm -rf pawl-out
refused run --judge no-such-branch
refused run --judge --help
GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main refused run
refused baseline update --judge HEAD
mv .git ../away
refused run --judge HEAD
refused baseline diff --json
mv ../away .git
nothing_measured
# The change raises its own limit, accepts its own numbers, and adds a scenario.
mk_scenario a 'target: { command: "sleep 0.001" }' 'measure: { runs: 2 }' 'gates: { page-faults: +5000% }'
mk_quick b
for file in baselines/a/*.json; do
  jq '.sessions[0].reason = "mine" | .sessions[0].metrics["page-faults"] |= map(1000000)' "$file" >x
  mv x "$file"
done
expect 0 run --judge HEAD
has "$out" 'this change edits' scenarios/a.yaml
has pawl-out/latest/report.md 'scenarios/a.yaml'
holds '.scenarios[0] | .settings.command[2] == "true" and (.runs | length) == 3 and .gates[0].baseline < 100000'
holds '.scenarios[0].gates[0] | .verdict == "pass" and .tolerance_pct == 50'
holds '[.scenarios[].name] == ["a", "b"] and .scenarios[1].gates[0].verdict == "new"'
holds '.judge | .ref == "HEAD" and (.own | not) and ([.edits[].path] | length) == 3'
echo -- removing the scenario does not remove the gate
rm scenarios/a.yaml
expect 0 run --judge HEAD
holds '[.scenarios[].name] == ["a", "b"]'
echo -- the working tree, when it is asked for
git checkout -q scenarios
mk_quick a 'true and again'
expect 0 run a
holds '.scenarios[0].settings.command[2] == "true and again"'
