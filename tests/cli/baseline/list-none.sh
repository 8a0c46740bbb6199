# `list` succeeds without any baselines.

mk_quick a
expect 0 baseline list
expect 0 baseline list --json
jq -c . "$out"
