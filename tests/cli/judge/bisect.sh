# pawl bisect of somebody else's commits judges them by the files of the good one.
. "$LIB"

mk_judged
echo 'build: touch built' >>pawl.yaml
echo built >>.gitignore
commit_all 'with a build'
git update-ref refs/remotes/origin/main HEAD
slower
sed -i 's/^measure/gates: { page-faults: +900% }\nmeasure/' scenarios/a.yaml
commit_all 'slower, and looser'
pull 0 bisect a --good origin/main --runs 10 --no-profile
has "$out" "$(git rev-parse --short=12 HEAD)" 'judge: this change edits scenarios/a.yaml: what judged are the files of origin/main'
