# The base decides which folder is the project; the change does not.

mkdir sub && cd sub || exit
printf '#!/bin/sh\nexec true\n' >prog
chmod +x prog
mk_quick a ./prog
printf 'measure: { runs: 3 }\n' >pawl.yaml
expect 0 baseline update --reason first
git init -q ..
echo pawl-out >../.gitignore
git -C .. add -A && git commit -qm base
git update-ref refs/remotes/origin/main HEAD
slower
echo -- a pawl.yaml nearer to the scenario
printf 'gates: { page-faults: +900%% }\nscenarios: .\n' >scenarios/pawl.yaml
pull 1 run scenarios/a.yaml
rm scenarios/pawl.yaml
echo -- none where it was
rm pawl.yaml
pull 1 run
judge_says 'this change removes pawl.yaml'
(cd .. && pull 1 run sub/scenarios/a.yaml)
git checkout -q pawl.yaml
echo -- a submodule in place of the folder
mkdir ../evil && git init -q ../evil && cp -r prog pawl.yaml scenarios ../evil
git -C ../evil add -A && git -C ../evil commit -qm evil
git -C ../evil update-ref refs/remotes/origin/main HEAD
cd .. && rm -rf sub && git rm -rqf --cached sub
git -c protocol.file.allow=always submodule add -q ./evil sub 2>/dev/null
git -C sub update-ref refs/remotes/origin/main HEAD
cd sub || exit
pull 2 run
has "$err" 'is a submodule of'
