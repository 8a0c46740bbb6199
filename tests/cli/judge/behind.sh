# Edits that others made to the base after the fork are not attributed to the change.

mk_judged
git checkout -qb change
echo 1 >file
commit_all 'the change'
git checkout -q main
sed 's/prog/prog/' scenarios/a.yaml >scenarios/new.yaml
sed -i 's/^measure.*/measure: { runs: 4 }/' scenarios/a.yaml
echo 'measure: { runs: 3 }' >>pawl.yaml
commit_all 'the base goes on'
git update-ref refs/remotes/origin/main HEAD
git checkout -q change
pull 0 run
judge_says 'this change edits none of them'
lacks "$out" 'JUDGE EDITED'
holds '[.scenarios[] | .name, (.runs | length)] == ["a", 4, "new", 3]'
