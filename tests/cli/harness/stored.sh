# Benchmarks against a baseline, without --base: gates, benchmarks that are new or gone, and output of bad programs.

# The program prints values.json among its own prints.
cat >bench <<'SH2'
#!/bin/sh
echo "a print of its own: {"
cat values.json
SH2
chmod +x bench
echo '[{"id": "<a>", "us": 100, "in": "us"}, {"id": "b", "us": 200, "in": "B"}, {"id": "old", "us": 5, "in": "us"}]' >values.json
mk_scenario micro <<'YAML'
target: { command: [./bench], harness: json, values: { name: id, value: us, unit: in } }
measure: { runs: 5 }
YAML
expect 0 run micro
[[ $(verdicts) == $'<a> new\nb new\nold new' ]] || { verdicts >&2; fail 'other verdicts of the first run'; }
expect 0 baseline update micro
expect 0 run micro
[[ $(verdicts) == $'<a> pass\nb pass\nold pass' ]] || { verdicts >&2; fail 'other verdicts of the same values'; }
echo '[{"id": "<a>", "us": 100, "in": "us"}, {"id": "b", "us": 900, "in": "B"}, {"id": "late", "us": 7, "in": "us"}]' >values.json
expect 1 run micro
has "$out" 'REGRESSION micro b +350'
[[ $(verdicts) == $'<a> pass\nb regression\nlate not-measured' ]] || { verdicts >&2; fail 'other verdicts of other values'; }

has "$out" 'the baseline has no value of late'

# Output that cannot be read is a failure of the scenario, and never a pass.
while IFS='|' read -r values words; do
  echo "$values" >values.json
  expect 3 run micro
  has "$out" "$words"
done <<'TXT'
[{"id": "<a>", "us": 100|no complete JSON
{"version": 2, "rows": []}|no complete JSON
[]|json reported no benchmark
[{"name": "b", "us": 1, "in": "us"}]|json reported no benchmark with a name
TXT
for i in $(seq 10000); do echo ", {\"id\": \"$i\", \"us\": 1, \"in\": \"us\"}"; done | sed '1s/^,/[/; $s/$/]/' >values.json
expect 3 run micro
has "$out" '10000 benchmarks, of at most 1000'

# NaN is no value. Rows of one name are repetitions, with this program.
echo '[{"id": "<a>", "us": NaN, "in": "us"}, {"id": "b", "us": 200, "in": "B"}, {"id": "b", "us": 210, "in": "B"}, {"id": "old", "us": 5, "in": "us"}]' >values.json
expect 0 run micro
[[ $(verdicts) == $'<a> not-measured\nb pass\nold pass' ]] || { verdicts >&2; fail 'other verdicts of bad values'; }
