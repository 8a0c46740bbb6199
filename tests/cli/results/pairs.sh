# A result in pairs is reported again unchanged. compare uses the head's runs of two such results.

mk_quick a
expect 0 run
jq '.scenarios[0].runs[0] as $run
  | .mode = "paired" | .status = 1 | .command = "pawl run a --base main --head ../new"
  | .scenarios[0].pairing = {seed: "18446744073709551615", gates: 4, batch: 2, rerun: 1, base: {label: "main"}, head: {label: "../new"}}
  | .scenarios[0].pairs = [range(10) | {base: ($run | .["page-faults"] = 1000), head: ($run | .["page-faults"] = 2000), first: "head"}]
  | .scenarios[0].gates[0] |= (.pairs = 10 | .verdict = "regression" | .baseline = 1000 | .current = 2000
    | .change_pct = 100 | .low_pct = 100 | .high_pct = 100 | .reason = null | .detectable_pct = 0.1)' \
  pawl-out/latest/result.json >pairs.json
rm -rf pawl-out
expect 1 report -v pairs.json
has "$out" 'REGRESSION a page-faults +100 %' '(at least +100 %, limit 50 %)' 'base     main' 'head     ../new' \
  'order tossed from seed 18446744073709551615 (base first in 0)' 'mean of 2 adjacent' \
  'rerun    pawl run a --base main --head ../new --seed 18446744073709551615'
lacks "$out" 'baseline update'
for format in markdown html junit; do
  expect 1 report pairs.json --format "$format"
  has "$out" '18446744073709551615' '../new'
done
expect 1 report pairs.json --json
cp "$out" again.json
expect 1 report again.json --json
cmp "$out" again.json

# The pairs and their limits belong to the original comparison.
jq '.scenarios[0].runs |= map(.["page-faults"] = 1000)' pairs.json >base.json
jq '.scenarios[0].runs |= map(.["page-faults"] = 1010)' pairs.json >head.json
expect 0 compare -v base.json head.json
has "$out" "results in pairs are compared by their heads' runs" 'stored comparison'
lacks "$out" REGRESSION 'in pairs against' 'order tossed'

# A fault is reported with its place.
jq '.scenarios[0].pairing.seed = 7' pairs.json >bad.json
expect 2 report bad.json
has "$err" '$.scenarios[0].pairing.seed: expected a string, found a number'
jq 'del(.scenarios[0].pairs[3].head)' pairs.json >bad.json
expect 2 report bad.json
has "$err" '$.scenarios[0].pairs[3]: the key "head" is missing'
