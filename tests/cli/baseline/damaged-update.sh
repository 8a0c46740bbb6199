# A damaged baseline is overwritten only with --force.

mk_quick a
expect 0 run
jq '.busy = []' pawl-out/latest/result.json >quiet.json
expect 0 baseline update --from quiet.json --reason first
file=$(echo baselines/a/*.json)
echo '{"mine": ' >"$file"
expect 2 baseline update --from quiet.json --reason second
has "$err" damaged "$file" --force
[[ $(cat "$file") == '{"mine": ' ]] || fail 'it was overwritten'
expect 0 baseline update --from quiet.json --reason second --force
jq -r '.sessions[0].reason' "$file"
