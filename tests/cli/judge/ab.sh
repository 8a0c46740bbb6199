# In a pull request pawl run --base takes scenarios, limits and the number of gates from the base. Elsewhere it reports what
# differs.

mk_judged
echo 'build: touch built' >>pawl.yaml
printf 'built\n' >>.gitignore
commit_all 'with a build'
git update-ref refs/remotes/origin/main HEAD
slower
sed -i 's/^measure/gates: { page-faults: +900% }\nmeasure/' scenarios/a.yaml
for i in 1 2 3; do sed "s/prog/prog/" scenarios/a.yaml >scenarios/b$i.yaml; done
sed -i 's/^build.*/build: touch built-by-head/' pawl.yaml
GITHUB_ACTIONS=true pull 1 run a --base origin/main --runs 2 --no-profile --no-explain
[[ $(grep -c '^::group::' "$err") == 1 && $(grep -c '^::endgroup::' "$err") == 1 ]] || fail 'not one group for one scenario'
judge_says 'this change edits pawl.yaml, scenarios/a.yaml; adds scenarios/b1.yaml, scenarios/b2.yaml, scenarios/b3.yaml' \
  'what judged are the files of origin/main'
holds '.scenarios[0] | .gates[0].tolerance_pct == 50 and .pairing.gates == 1'
tree=$(find "$XDG_CACHE_HOME/pawl/trees" -name built)
[[ -n $tree && -e built-by-head && ! -e built ]] || fail "each tree is built by its own pawl.yaml: $tree"
echo -- a folder is the base
git worktree add -q ../base origin/main
pull 1 run a --base ../base --runs 2 --no-profile --no-explain
judge_says 'what judged are the files of origin/main'
echo -- by hand: the head judges, and what differs is said
expect 0 run a --base origin/main --runs 2 --no-profile
judge_says 'this change edits pawl.yaml, scenarios/a.yaml, compared with origin/main' 'its own judged'
has "$out" '  warning  JUDGE EDITED'
echo -- program and scenario are gone
rm -r scenarios/*.yaml prog
pull 0 run a --base origin/main --runs 2 --no-profile
has "$out" 'the change removes this scenario, and it cannot be run any more'
