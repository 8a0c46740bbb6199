# A session is one measurement. The same runs stay one session, however often they are accepted or copied.

mk_quick a
mk_quick b
expect 0 run -q
jq '.busy = []' pawl-out/latest/result.json >first.json
expect 0 baseline update --from first.json
before=$(cat baselines/*/*.json)
unchanged() {
  [[ $(cat baselines/*/*.json) == "$before" ]] || fail "the baselines were changed by $*"
}
again() {
  expect 0 baseline update --from "$1"
  has "$err" 'unchanged: a: these runs are session 1 already' 'unchanged: b:'
  unchanged "$1"
}
again first.json
again first.json

# The result is copied, and rendered again.
mkdir copy
cp first.json copy/result.json
again copy
expect 0 report first.json --json
cp "$out" rendered.json
again rendered.json
jq '.command = "another" | .date = "2020-01-01T00:00:00Z"' first.json >edited.json
again edited.json

# The result comes from a pawl without names of measurements, or was rendered by one.
jq 'del(.scenarios[].measurement)' first.json >nameless.json
again nameless.json
for file in baselines/*/*.json; do
  jq 'del(.sessions[].measurement)' "$file" >x
  cp x "$file"
done
expect 0 baseline update --from first.json
has "$err" 'unchanged: a:' 'unchanged: b:'
expect 0 baseline update --from nameless.json
has "$err" 'unchanged: a:' 'unchanged: b:'

# Only the reason changes.
expect 0 baseline update --from first.json --reason 'it is so' a
has "$err" 'unchanged but for the reason: a'
expect 0 baseline update --from first.json
expect 0 baseline update --from first.json --reason 'it is so' a
has "$err" 'unchanged: a'
jq -c '.sessions | [length, .[0].reason]' baselines/*/*.json

# Runs measured and accepted by one command are one session as well. Another measurement is another session.
expect 0 baseline update a
expect 0 baseline update --from pawl-out/latest a
has "$err" 'unchanged: a: these runs are session 2 already'
jq -c '.sessions | length, (map(.measurement) | unique | length)' baselines/a/*.json
