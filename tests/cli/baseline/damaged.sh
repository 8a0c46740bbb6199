# A damaged baseline is misuse before anything is measured. The error names file, place and fault.

mk_quick a
expect 0 baseline update --reason first
rm -rf pawl-out
file=$(echo baselines/a/*.json)
cp "$file" good.json
unusable() {
  expect 2 run
  nothing_measured
  first_line_has "$err" "$file"
  sed -E -e "s#$PWD/##; s#$file#FILE#" -e 's/[0-9]+:[0-9]+/L:C/' "$err" | cut -c1-160
  expect 2 check
  has "$err" "$file"
}
echo -- truncated
head -n 2 good.json >"$file"
unusable
echo -- wrong type further down
jq '.sessions[0].metrics |= with_entries(.value[1] = "fast")' good.json >"$file"
unusable
echo -- another schema
jq '.schema = 99' good.json >"$file"
unusable
echo -- of another scenario
jq '.scenario = "b"' good.json >"$file"
unusable
echo -- too many megabytes
{ cat good.json; head -c 34603008 /dev/zero | tr '\0' ' '; } >"$file"
unusable
echo -- a folder
rm "$file"
mkdir "$file"
unusable
