# In pairs the tip of the base branch judges. pawl builds the commit at which the change forked.

mk_judged
fork=$(git rev-parse HEAD)
git checkout -qb change
git commit -q --allow-empty -m 'the change'
git checkout -q main
sed -i 's/+50%/+20%/' pawl.yaml
cp scenarios/a.yaml scenarios/new.yaml
commit_all 'the base goes on, and gets stricter'
tip=$(git rev-parse HEAD)
git update-ref refs/remotes/origin/main HEAD
git checkout -q change
# compared ARGUMENTS...: the base is the fork, the judge is the tip, and the report has both.
compared() {
  pull 0 run a --runs 2 --no-profile "$@"
  holds ".judge.commit == \"$tip\" and .scenarios[0].gates[0].tolerance_pct == 20"
  judge_says "those of origin/main (${tip:0:12}); this change edits none of them"
}
compared --base origin/main
holds ".scenarios[0].pairing.base | .commit == \"$fork\" and .label == \"${fork:0:12}, where the change left origin/main\""
has pawl-out/latest/report.md "${fork:0:12}, where the change left origin/main"
compared --base "$fork"
git worktree add -q ../base "$fork"
compared --base ../base --head .
# Outside a pull request pawl builds the given commit, which also judges unless --judge names another.
expect 0 run a --base origin/main --runs 2 --no-profile
holds ".judge.own and .scenarios[0].pairing.base.commit == \"$tip\""
expect 0 run a --base "$fork" --judge origin/main --runs 2 --no-profile
holds ".judge.commit == \"$tip\" and .scenarios[0].pairing.base.commit == \"$fork\""
