# Shards of one suite make one report with the worst status.

for name in a b c d; do mk_quick "$name"; done
mk_scenario c 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { max-rss: { max: 1KiB } }'
for i in 1 2 3; do
  # shellcheck disable=SC2046
  "$PAWL" run -q --out "shard$i" $("$PAWL" check --json --shard "$i/3" | jq -r '.scenarios[].name') >/dev/null || true
done
expect 1 report shard1 shard2 shard3 --json
jq -c '[.status, ([.scenarios[].name] | sort)]' "$out"
expect 1 report shard3 shard1 shard2
has "$out" 'REGRESSION c'
expect 0 report shard1 shard2
expect 4 report shard1 shard2 --strict
# A run that failed before it had scenarios fails every merge.
mkdir empty
jq '.scenarios = [] | .status = 3' shard1/result.json >empty/result.json
expect 3 report empty
expect 3 report shard1 empty shard2
has "$out" 'empty has no scenarios: nothing was measured there'
expect 3 report empty shard3
