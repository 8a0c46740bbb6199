# Commands of the base's scenario may be files of the project, which the change can edit. The report says so.

mk_judged
printf 'exit 0\n' >data.sh
printf 'exit 0\n' >each.sh
sed -i 's/^measure/setup: sh .\/data.sh --all\nprepare: [sh, each.sh]\nmeasure/' scenarios/a.yaml
commit_all 'commands'
git update-ref refs/remotes/origin/main HEAD
pull 0 run
lacks "$out" 'not protected'
echo 'true; exit 0' >data.sh
pull 0 run
has "$out" '  warning  JUDGE NOT PROTECTED'
judge_says 'not protected: setup of scenarios/a.yaml runs data.sh, which this change edits'
holds '.judge.not_protected | length == 1'
