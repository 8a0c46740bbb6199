# Damaged results are misuse for report and compare. The error names file, place and fault.

mk_quick a
expect 0 run --out good
refused() {
  expect 2 report bad.json
  sed -E 's/[0-9]+:[0-9]+/L:C/' "$err" | cut -c1-160
  [[ ! -s $out ]] || fail 'a report was printed all the same'
  expect 2 compare bad.json good
  expect 2 compare good bad.json
  expect 2 report good bad.json
  expect 2 baseline update --from bad.json --reason x
}
echo -- truncated
head -n 2 good/result.json >bad.json
refused
echo -- wrong type further down
jq '.scenarios[0].runs[1]["page-faults"] = "many"' good/result.json >bad.json
refused
echo -- a verdict that is none
jq '.scenarios[0].gates[0].verdict = "splendid"' good/result.json >bad.json
refused
echo -- a name that leaves its folder
jq '.scenarios[0].name = "../../etc"' good/result.json >bad.json
refused
echo -- too many megabytes
{ cat good/result.json; head -c 34603008 /dev/zero | tr '\0' ' '; } >bad.json
refused
echo -- many nodes
{ printf '{"schema": 1, "x": [0'; awk 'BEGIN { for (i = 0; i < 1100000; i++) printf ",0" }'; printf ']}'; } >bad.json
refused
