# A damaged baseline is misuse before anything is measured. The error names file, place and fault.

mk_quick a
expect 0 baseline update --reason first
rm -rf pawl-out
file=$(echo baselines/a/*.json)
cp "$file" good.json
refused() {
  expect 2 run
  nothing_measured
  first_line_has "$err" "$file"
  sed -E -e "s#$PWD/##; s#$file#FILE#" -e 's/[0-9]+:[0-9]+/L:C/' "$err" | cut -c1-160
  expect 2 check
  has "$err" "$file"
}
echo -- truncated
head -n 2 good.json >"$file"
refused
echo -- empty
: >"$file"
refused
echo -- wrong type
jq '.sessions = "none"' good.json >"$file"
refused
echo -- wrong type further down
jq '.sessions[0].metrics |= with_entries(.value[1] = "fast")' good.json >"$file"
refused
echo -- duplicate key
sed '0,/"schema": 1,/s//"schema": 1,\n  "schema": 1,/' good.json >"$file"
refused
echo -- trailing text
{ cat good.json; echo '{}'; } >"$file"
refused
echo -- deep
{ printf '{"schema": 1, "x": '; head -c 100 /dev/zero | tr '\0' '['; head -c 100 /dev/zero | tr '\0' ']'; echo '}'; } >"$file"
refused
echo -- very deep
head -c 1000000 /dev/zero | tr '\0' '[' >"$file"
refused
echo -- a number that is none
sed -E '0,/"page-faults": \[/s//&1e999, /' good.json >"$file"
refused
echo -- bytes that are no text
sed 's/first/\xff\xfe/' good.json >"$file"
refused
echo -- another schema
jq '.schema = 99' good.json >"$file"
refused
echo -- of another scenario
jq '.scenario = "b"' good.json >"$file"
refused
echo -- too many megabytes
{ cat good.json; head -c 34603008 /dev/zero | tr '\0' ' '; } >"$file"
refused
echo -- a folder
rm "$file"
mkdir "$file"
refused
