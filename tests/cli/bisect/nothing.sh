# Bad is not slower than good: no guess, but what was measured.
. "$LIB"
mk_work_history 40
mk_program 10
commit_all 'faster'
git commit -q --allow-empty -m 'the same'

expect 3 bisect work --good HEAD~2 --bad HEAD
first_line_has "$out" 'NOTHING TO BISECT: work from '
has "$out" 'bad is faster than good; were they exchanged?' 'IMPROVEMENT task-clock' 'see it again: pawl ab work --base-ref '
lacks "$out" 'FIRST BAD'
[[ -s pawl-out/latest/report.md && -s pawl-out/latest/result.json ]] || fail 'there is no report'

# It is measured again, since it may be another day.
expect 3 bisect work --good HEAD~2 --bad HEAD --json
holds '.outcome == "nothing" and .status == 3 and .whole.pairs >= 6 and .steps == [] and .suspects == []' "$out"
