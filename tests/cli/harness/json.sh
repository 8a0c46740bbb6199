# A program whose JSON has the benchmarks, among its own prints. Its values change as the files of both sides say.

need python3
cat >bench.py <<'PY'
import json, random, sys
print("a print of its own")
values = json.load(open("values.json"))
print(json.dumps({"other": []}))
print(json.dumps({"all": {"runs": [{"id": k, "time": {"mean": v * random.uniform(0.999, 1.001)}, "in": "us"}
                                   for k, v in values.items() if random.random() < 0.9 or k != "now and then"]}}))
print("the end")
PY
echo '{"a": 100, "b": 5, "<i>c</i>": 7, "now and then": 3, "was": 1}' >values.json
mk_scenario micro <<'YAML'
target:
  command: [python3, bench.py]
  harness: json
  values: { list: all.runs, name: id, value: time.mean, unit: in }
YAML
cp -r . "$CASE_DIR/base"
echo '{"<i>c</i>": 7, "b": 8, "a": 100, "now and then": 3, "is": 1}' >values.json
expect 1 run micro --base ../base --no-explain
first_line_has "$out" 'REGRESSION micro b +'
holds '.scenarios[0].gates[] | select(.metric == "b") | .change_pct > 58 and .change_pct < 62'
verdicts

# Times are no exact counts, and what runs before the program is not in its benchmarks.
expect 0 run micro --base ../base --counts
first_line_has "$out" 'NOTHING WAS COMPARED'
has "$out" 'not judged: benchmarks'
holds '.scenarios[0].gates == []'
expect 2 selftest micro
has "$err" 'which its benchmarks do not see'

# A run without complete JSON fails, and never passes.
echo 'print("{\"all\": {\"runs\": [{")' >bench.py
cp bench.py ../base/
expect 3 run micro --base ../base --no-explain
has "$out" 'no complete JSON with a list'

# Keys that do not go with the rest are refused.
mk_scenario micro <<<'target: { command: "true", harness: json }'
expect 2 check
has "$err" 'harness: json needs values'
mk_scenario micro <<<'target: { command: "true", harness: hyperfine, filter: x }'
expect 2 check
has "$err" 'takes no filter'
mk_scenario micro <<<'target: { command: "true", harness: googletest }'
expect 2 check
has "$err" 'google-benchmark, criterion, go, pytest-benchmark, catch2, nanobench, hyperfine or json'
