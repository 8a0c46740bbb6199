# A change that removes or renames a scenario can be merged. The remaining scenarios are judged.

mk_judged
cp prog prog-b
sed 's/prog/prog-b/' scenarios/a.yaml >scenarios/b.yaml
expect 0 baseline update --reason first b
commit_all 'a second one'
git update-ref refs/remotes/origin/main HEAD
echo -- another name for the file
git mv scenarios/b.yaml scenarios/c.yaml
sed -i '1a name: b' scenarios/c.yaml
pull 0 run
judge_says 'this change renames scenarios/b.yaml to scenarios/c.yaml'
holds '[.scenarios[] | .name, .gates[0].verdict] == ["a", "pass", "b", "pass"]'
git reset -q --hard
echo -- scenario, baseline and program are gone
rm -r scenarios/b.yaml prog-b baselines/b
pull 0 run
judge_says 'NOT MEASURED' 'the change removes this scenario, and it cannot be run any more' 'removes scenarios/b.yaml, baselines/b/'
holds '[.scenarios[] | .state, .gates[0].verdict] == ["measured", "pass", "measured", "not-measured"]'
pull 4 run --strict
echo -- all of them
rm -r scenarios/a.yaml prog baselines
pull 0 run
first_line_has "$out" 'NOTHING WAS COMPARED'
git reset -q --hard
echo -- the program alone: the gate cannot be met
rm prog-b
pull 3 run
git reset -q --hard
echo -- the scenario alone: it is judged all the same
rm scenarios/b.yaml
printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do /bin/true; done\n' >prog-b
pull 1 run
echo -- the scenario is gone, and its program never ends
printf '#!/bin/sh\nexec sleep 60\n' >prog-b
sed -i 's/^measure.*/measure: { runs: 3, timeout: 1s }/' scenarios/a.yaml
git add -A && git stash -q && git checkout -q origin/main
sed -i 's/^measure.*/measure: { runs: 3, timeout: 1s }/' scenarios/b.yaml
commit_all 'a limit' && git update-ref refs/remotes/origin/main HEAD
rm scenarios/b.yaml
printf '#!/bin/sh\nexec sleep 60\n' >prog-b
pull 3 run
