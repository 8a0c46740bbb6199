# 500 scenarios in shards: equal sizes within one, no duplicates, none missing, the same each time.

mkdir scenarios
for i in {1..500}; do echo "{version: 1, target: {command: 'true'}}" >"scenarios/s$i.yaml"; done
expect 0 check --json
jq -r '.scenarios[].name' "$out" | sort >"$CASE_DIR/kept/all"
for n in 1 7 16; do
  for ((i = 1; i <= n; i++)); do
    expect 0 check --json --shard "$i/$n"
    jq -r '.scenarios[].name' "$out" >"$CASE_DIR/kept/shard-$n-$i"
  done
  wc -l "$CASE_DIR/kept/shard-$n"-* | awk '$2 != "total" { print $1 }' | sort | uniq -c | sed 's/^ *//'
  sort "$CASE_DIR/kept/shard-$n"-* | cmp - "$CASE_DIR/kept/all"
done
expect 0 check --json --shard 3/16
jq -r '.scenarios[].name' "$out" | cmp - "$CASE_DIR/kept/shard-16-3"
expect 0 check --shard 501/501
[[ ! -s $out ]] || fail 'a shard beyond the last scenario is not empty'
