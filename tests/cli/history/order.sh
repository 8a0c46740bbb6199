# Commits appear in git's order, whatever the dates of their results. Unknown commits are ordered by date and counted.
# Machine classes are separate, and the results of one commit give one value.
export LC_ALL=C

mk_commits 20
{
  for ((i = 0; i < 20; i++)); do
    # Measured in reverse order, months later.
    echo "archive/new/$i/result.json ${commits[i]:0:12} 2026-12-$((30 - i))T01:00:00Z $((i < 10 ? 10 : 12)) 100"
    echo "archive/other/$i.json ${commits[i]:0:12} 2026-12-$((30 - i))T02:00:00Z 5 100 epyc-8cpu"
  done
  # Two more results of one commit, one of them an outlier: the median counts.
  echo "archive/again-1.json ${commits[3]:0:12} 2026-12-31T00:00:00Z 99 100"
  echo "archive/again-2.json ${commits[3]:0:12} 2026-12-31T00:00:01Z 10 100"
} | mk_results
expect 0 history --from archive
sed "s/${commits[10]:0:12}/COMMIT-10/" "$out"

# Results of a commit that was force-pushed away, and of a changed tree. Both come first, because they are the oldest.
mk_results <<END
archive/gone.json 0123456789ab 2026-10-11T10:00:00Z 12 100
archive/dirty.json ${commits[19]:0:12}+dirty 2026-10-12T11:00:00Z 12 100
END
expect 0 history --from archive
cat "$out"
grep -A1 '^note: 1 ' "$out"

# Outside a repository commits are ordered by date.
rm -rf .git
expect 0 history --from archive
has "$out" 'note: 21 commits are not in the history of HEAD' '1 result is of changed trees'
