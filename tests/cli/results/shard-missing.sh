# Shards of one suite make one report with the worst status. A suite with a missing shard cannot pass, because the other
# shards know the whole suite.

for name in a b c d e; do mk_quick "$name"; done
for i in 1 2 3; do expect 0 run -q --shard "$i/3" --out "shard$i"; done
jq -c '.shard, .suite, [.scenarios[].name]' shard2/result.json
expect 0 report shard1 shard2 shard3 --json
jq -c '[.status, .shard, ([.scenarios[].name] | sort)]' "$out"
expect 3 report shard1 shard3 --json
cp "$out" merged.json
jq -c '.status, (.scenarios[] | select(.state == "failed") | [.name, .status])' merged.json
expect 3 report shard1 shard3
first_line_has "$out" 'could not measure b and 1 more (shard 2/3 ('
has "$out" 'left no result of it'
for format in markdown html junit; do
  expect 3 report shard1 shard3 --format $format
  has "$out" 'shard 2/3'
done
# A merged result can be read again and is no longer a shard.
expect 3 report merged.json

# A shard that was killed left a folder without a result, an interrupted one a result that is not whole.
mv shard2/result.json whole.json
for order in 'shard1 shard2 shard3' 'shard2 shard1 shard3'; do
  # shellcheck disable=SC2086
  expect 3 report $order
  has "$out" 'MERGED' 'no result in shard2: a run there was killed, or is not over' 'shard 2/3'
done
expect 2 report shard2 shard2
has "$err" 'there is no result shard2/result.json'
jq '.partial = true | .scenarios[0].state = "partial"' whole.json >shard2/result.json
expect 3 report shard2
expect 3 report shard1 shard2 shard3
has "$out" 'PARTIAL b'
mv whole.json shard2/result.json

# With more shards than scenarios, an empty shard measures nothing and says so.
expect 0 run --shard 6/6 --out shard6
has "$out" 'shard 6/6 has no scenario'
expect 0 report shard1 shard2 shard3 shard6
for wrong in 0/3 4/3 3 1/0 x/3 1/3x -1/3; do
  expect 2 run --shard "$wrong"
  has "$err" '--shard: expected I/N with I from 1 to N'
done

# The worst status counts, in any order. A run that failed before it had scenarios fails every merge.
mkdir empty over
jq 'del(.shard, .suite) | .scenarios = [] | .status = 3' shard1/result.json >empty/result.json
jq '.scenarios[0] |= (.status = 1 | .gates[0].verdict = "regression") | .status = 1' shard2/result.json >over/result.json
expect 1 report shard1 over shard3 --json
jq -c '[.status, ([.scenarios[].name] | sort)]' "$out"
expect 1 report shard3 shard1 over
has "$out" 'REGRESSION b'
expect 3 report empty
expect 3 report shard1 empty shard2 shard3
has "$out" 'empty has no scenarios: nothing was measured there'
expect 3 report empty over
# So does the shard itself, beside another try of it.
jq '.shard = "1/3"' empty/result.json >over/empty.json
expect 3 report shard1 over/empty.json shard2 shard3
has "$out" 'over/empty.json has no scenarios'

# A suite holds names of scenarios, which never become paths.
jq '.suite[1] = "../../b"' shard1/result.json >hostile.json
expect 2 report hostile.json shard2
has "$err" '$.suite[1]: expected a scenario'

# Results that are not shards do not know the suite. In the project's folder pawl checks the project's scenarios.
mkdir only-a only-b
jq 'del(.shard, .suite) | .scenarios |= map(select(.name == "a"))' shard1/result.json >only-a/result.json
jq 'del(.shard, .suite) | .scenarios |= map(select(.name == "b"))' shard2/result.json >only-b/result.json
expect 0 report only-a only-b
has "$out" 'MERGED' '3 scenarios of this project are in none of these results: c, d, e'
expect 4 report only-a only-b --strict
cd ..
expect 0 report project/only-a project/only-b
lacks "$out" 'of this project'
