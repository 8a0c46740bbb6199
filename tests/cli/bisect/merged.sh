# Good came in from a branch: what lies before its merge does not have it, and is not looked at.
. "$LIB"
need jq
mk_work_history 10
git checkout -q -b side
echo '/* beside */' >>work.c
commit_all 'on a branch'
git checkout -q main
for i in 1 2 3; do git commit -q --allow-empty -m "before $i"; done
git merge -q --no-ff -m 'a merge' side
mk_program 20
echo '/* beside */' >>work.c
commit_all 'twice as slow'

expect 0 bisect work --good side --json
holds '.outcome == "first-bad" and .commits == 2 and [.suspects[].subject] == ["twice as slow"] and
  (.steps | length) == 1' "$out"
has "$err" '2 commits from '
