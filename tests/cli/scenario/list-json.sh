# `list --json` feeds a job matrix. Shards distribute every scenario once.

for name in a b c d e; do
  mk_scenario "$name" <<<'target: { command: "true" }
measure: { runs: 3 }
profile: { kinds: [] }
gates: { page-faults: +50% }'
done
"$PAWL" check --json | jq -c '.scenarios[0]'
for shard in 1/3 2/3 3/3; do
  "$PAWL" check --json --shard "$shard" | jq -c '[.scenarios[].name]'
done
"$PAWL" check --shard 7/9
