# A commit that does not build stands before the one that is slower: it may be either.
. "$LIB"
mk_work_history 10
echo '/* harmless */' >>work.c
commit_all 'a comment'
cp work.c kept
echo 'this is no C' >>work.c
commit_all 'it does not build'
mv kept work.c
mk_program 20
commit_all 'twice as slow'

expect 0 bisect work --good HEAD~3 --bad HEAD --seed 7
first_line_has "$out" 'NARROWED: work is slower since one of 2 commits'
has "$out" ': it does not build' ': twice as slow' "skipped $(git rev-parse --short=12 HEAD~1): the build failed" 'its log is ' \
  "see it again: pawl ab work --base-ref $(git rev-parse --short=12 HEAD~2) --head-ref $(git rev-parse --short=12 HEAD) --seed 7"
has pawl-out/latest/report.md '## NARROWED: work is slower'
lacks "$out" 'FIRST BAD'
