# Tolerances that were found for a machine are the base's as well: in pairs, the base's file says what counts.
. "$LIB"

mk_judged
class=$(basename baselines/a/*.json .json)
tolerate() {
  printf 'version: 1\nentries:\n'
  printf '  - { machine: "%s", scenario: "a", date: 2026-11-21T09:12:33Z, pairs: 240, tolerances: { "page-faults": %s } }\n' "$class" "$1"
}
printf 'build: touch built\ncalibration: calibration.yaml\nprofile: { kinds: [] }\ngates: { task-clock: off, page-faults: default }\n' >pawl.yaml
tolerate 40% >calibration.yaml
echo built >>.gitignore
commit_all 'calibrated'
git update-ref refs/remotes/origin/main HEAD
slower
tolerate 900% >calibration.yaml
pull 1 ab a --base-ref origin/main --runs 10 --no-profile
judge_says 'this change edits calibration.yaml: what judged are the files of origin/main'
holds '.scenarios[0].gates[0].tolerance_pct == 40'
rm calibration.yaml
pull 1 ab a --base-ref origin/main --runs 10 --no-profile
judge_says 'this change removes calibration.yaml'
git checkout -q calibration.yaml
echo -- a new one, in place of the one that was named
tolerate 900% >new.yaml
sed -i 's/calibration.yaml/new.yaml/' pawl.yaml
pull 1 run
judge_says 'this change edits pawl.yaml: what judged'
