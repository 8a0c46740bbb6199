# A drift of 0.33 % per commit, below every limit, is found as a drift.
export LC_ALL=C

mk_commits 60
# shellcheck disable=SC2046
mk_archive archive $(awk 'BEGIN { for (i = 0; i < 60; i++) printf "%.4f ", 10 * (1 + i / 300) * (1 + (i * 7 % 5 - 2) / 1000) }')
expect 0 history --from archive
grep -A3 '^  task-clock' "$out" | sed 's/  [0-9a-f]\{12\}  /  COMMIT  /; s/ [0-9a-f]\{12\}: no/ COMMIT: no/'
