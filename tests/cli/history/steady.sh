# A drift of 0.7 % per commit splits in two or three places, and no commit is blamed.
# A step in the same series keeps its commit.
export LC_ALL=C

mk_commits 30

place() {
  local i script=
  for i in "${!commits[@]}"; do script+="s/${commits[i]:0:12}/COMMIT-$i/;"; done
  sed "$script"
}

# shellcheck disable=SC2046
mk_archive drifting $(awk 'BEGIN { for (i = 0; i < 30; i++) printf "%.4f ", 10 * 1.007 ^ i * (1 + (i * 7 % 5 - 2) / 500) }')
# changes FOLDER: the changes of CPU time, with the positions of their commits.
changes() {
  expect 0 history --from "$1"
  sed -n '/^  task-clock/,/^  [^ t]/{/^    2026/,/^  [^ ]/p}' "$out" | place
}
changes drifting
# shellcheck disable=SC2046
mk_archive stepping $(awk 'BEGIN { for (i = 0; i < 30; i++) printf "%.4f ", (i < 17 ? 10 : 11) * (1 + (i * 7 % 5 - 2) / 500) }')
changes stepping
# shellcheck disable=SC2046
mk_archive twice $(awk 'BEGIN { for (i = 0; i < 30; i++) printf "%.4f ", (i < 10 ? 10 : i < 20 ? 11 : 13) * (1 + (i * 7 % 5 - 2) / 500) }')
changes twice
