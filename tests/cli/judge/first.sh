# The pull request that adds pawl has no judge yet. It is measured, and the report says so.

git init -q .
printf 'pawl-out\n' >.gitignore
commit_all 'no pawl yet'
git update-ref refs/remotes/origin/main HEAD
mkdir bench
printf 'scenarios: bench\n' >pawl.yaml
mk_quick a
mv scenarios/a.yaml bench
pull 0 run
first_line_has "$out" 'measured for the first time'
judge_says 'not protected: origin/main has no pawl.yaml, no scenarios and no baselines yet' \
  "adds pawl.yaml, bench/a.yaml, compared with origin/main ($(git rev-parse --short=12 HEAD)); its own judged"
lacks "$out" 'those of the base were used'
