# One commit between the ends fails when it is run, the other cannot be built: no commit is named.
. "$LIB"
need jq
mk_work_history 10
sed -i 's/return 0/return 7/' work.c
commit_all 'it fails'
echo 'this is no C' >work.c
commit_all 'it does not build'
mk_program 20
commit_all 'twice as slow'

expect 3 bisect work --good HEAD~3
first_line_has "$out" 'NOT FOUND: work is slower since one of 3 commits: none between good and bad could be judged'
has "$out" "skipped $(git rev-parse --short=12 HEAD~2): " 'exited with status 7' \
  "skipped $(git rev-parse --short=12 HEAD~1): the build failed"
lacks "$out" 'FIRST BAD'
expect 3 bisect work --good HEAD~3 --json
holds '.outcome == "lost" and .found == null and [.steps[].state] == ["skipped", "skipped"] and (.suspects | length) == 3' "$out"
