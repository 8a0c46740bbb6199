# In pairs with a base, counts are judged against the baseline too, and the worse verdict counts. Times are the pairs'.

printf '#!/bin/sh\nexec true\n' >prog
chmod +x prog
mk_scenario a <<'YAML'
target: { command: [./prog] }
measure: { runs: 5 }
gates: { task-clock: +60%, page-faults: +60%, max-rss: { max: 1GiB }, symbols: off }
YAML
expect 0 baseline update --force --reason first
rm -rf pawl-out
mk_repo
slower
commit_all 'an earlier change'
git tag base
echo 'words' >README
commit_all 'no change of the program'
gate() { holds ".scenarios[0].gates[] | select(.metric == \"$1\") | $2"; }
says_both() { has "$1" 'against the baseline'; }

echo -- the count drifted before the base
expect 1 run a --base base --runs 12 --no-explain
first_line_has "$out" 'REGRESSION a page-faults'
says_both "$out"
has "$out" 'task-clock is +' 'but did not regress in pairs' 'pawl baseline update a --reason'
gate page-faults '.verdict == "regression" and .paired.verdict == "pass" and .paired.pairs > 0 and (.sessions | length) == 1'
gate task-clock '.verdict == "pass" and .pairs > 0 and .stored.verdict == "regression"'
gate max-rss '.verdict == "pass" and .stored == null and .paired == null'
says_both pawl-out/latest/junit.xml
says_both pawl-out/latest/report.md
says_both pawl-out/latest/report.html
GITHUB_ACTIONS=true "$PAWL" report pawl-out/latest -v >"$out" 2>"$err" && fail 'the stored result passes'
says_both "$err"
has "$out" 'against the baseline of 20' '; in pairs with base ('
expect 1 report pawl-out/latest --format html -o again.html
cmp again.html pawl-out/latest/report.html || fail 'the page differs'

echo -- a bisection asks for a change since the base
expect 0 run a --base base --runs 12 --bisect

echo -- a budget needs no baseline
sed -i 's/1GiB/64KiB/' scenarios/a.yaml
expect 1 run a --base base --runs 12 --no-explain
gate max-rss '.verdict == "regression" and .reason == "over its absolute budget"'

echo -- no baseline
sed -i 's/64KiB/1GiB/' scenarios/a.yaml
rm -r baselines
expect 0 run a --base base --runs 12 --no-explain -v
lacks "$out" 'against the baseline'
holds '[.scenarios[0].gates[] | has("stored") or has("paired")] | any | not'
