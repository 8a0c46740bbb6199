# A suite on two machine classes lists each scenario twice, with its class. A shard missing on one class is reported.
# Shards on different models of a hosted runner are one suite.

for name in a b; do mk_quick "$name"; done
for machine in box-one box-two; do
  for i in 1 2; do PAWL_MACHINE=$machine expect 0 run -q --shard "$i/2" --out "$machine-$i"; done
done
class=$(jq -r .machine.class box-one-1/result.json)
expect 0 report box-*-? --json
cp "$out" merged.json
jq -c '.scenarios[] | [.name, (.machine_class | sub(".*(?<box>box-(one|two)).*"; "\(.box)"))]' merged.json
expect 0 report box-*-?
has "$out" "a on $class" 'merged from several machines' box-two
for format in markdown html junit; do
  expect 0 report merged.json --format $format
  has "$out" "a on $class"
done
expect 3 report box-one-1 box-one-2 box-two-2
has "$out" 'shard 1/2' box-two
# One shard per model: complete, without duplicates.
expect 0 report box-one-1 box-two-2
lacks "$out" ' on x86_64' 'left no result'
expect 2 report box-one-1 box-one-1
has "$err" 'is there twice, both times of'
# A scenario in two results is misuse, because they contradict each other.
jq 'del(.shard, .suite)' merged.json >both.json
refused report both.json box-one-1 | sed 's/times of [a-z0-9._-]*/times of CLASS/'

# Shards of two commits, or of two judges, also once they are merged.
jq '.commit = "0123456789ab"' box-one-1/result.json >one.json
jq '.commit = "fedcba987654"' box-one-2/result.json >two.json
expect 3 report one.json two.json
has "$out" 'MERGED' 'these results are of 2 commits' '0123456789ab (one.json), fedcba987654 (two.json)'
expect 3 report one.json two.json --json
jq -r '.mixed[]' "$out"
cp "$out" merged.json
expect 3 report merged.json
jq 'del(.shard, .suite)' one.json >one-whole.json
jq 'del(.shard, .suite)' two.json >two-whole.json
expect 0 report one-whole.json two-whole.json
has "$out" 'these results are of 2 commits'
expect 4 report one-whole.json two-whole.json --strict

# Each result shows its own pictures, even if the first has a folder of that name.
mkdir -p left/redis-get left/other right/other
jq '.partial = false | del(.mixed, .scenarios[1])' "${LIB%/cli/lib.sh}/fixtures/result.json" >left/result.json
jq '.partial = false | del(.mixed, .scenarios[1]) | .scenarios[0].name = "other"' "${LIB%/cli/lib.sh}/fixtures/result.json" >right/result.json
expect 1 report left right -v
has "$out" 'left/redis-get/flamegraph.svg' 'right/other/flamegraph.svg'
lacks "$out" 'left/other/'
