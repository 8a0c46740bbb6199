# `list` succeeds without any baselines.
. "$LIB"

mk_quick a
expect 0 baseline list
expect 0 baseline list --json
jq -c . "$out"
