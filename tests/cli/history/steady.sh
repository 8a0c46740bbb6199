# A drift of 0.7 % a commit is cut in two or three places, and no commit there is to blame; a step beside it keeps its commit.
. "$LIB"
export LC_ALL=C

mk_commits 30
# shellcheck disable=SC2046
mk_archive drifting $(awk 'BEGIN { for (i = 0; i < 30; i++) printf "%.4f ", 10 * 1.007 ^ i * (1 + (i * 7 % 5 - 2) / 500) }')
expect 0 history --from drifting --json
jq -c '.series[0].changes | [length, .[0].kind, .[0].worse, .[0].at, (.[0].change_pct > 18)]' "$out"
expect 0 history --from drifting
has "$out" 'a drift until' 'no single commit made it'
# shellcheck disable=SC2046
mk_archive stepping $(awk 'BEGIN { for (i = 0; i < 30; i++) printf "%.4f ", (i < 17 ? 10 : 11) * (1 + (i * 7 % 5 - 2) / 500) }')
expect 0 history --from stepping --json
jq -c '.series[0].changes | [length, .[0].kind, .[0].at]' "$out"
# shellcheck disable=SC2046
mk_archive twice $(awk 'BEGIN { for (i = 0; i < 30; i++) printf "%.4f ", (i < 10 ? 10 : i < 20 ? 11 : 13) * (1 + (i * 7 % 5 - 2) / 500) }')
expect 0 history --from twice --json
jq -c '.series[0].changes | map([.kind, .at])' "$out"
