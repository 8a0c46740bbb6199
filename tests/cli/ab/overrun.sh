# A head that reaches its timeout is a regression if the base took at most a tenth of it.
# If both sides reach it, the scenario fails.

need awk
base="awk 'BEGIN { for (i = 0; i < 100000; i++) s += i }'"
mk_scenario a <<'YAML'
target: { command: [sh, work.sh] }
measure: { timeout: 3s }
gates: { task-clock: default, page-faults: default }
YAML
mkdir base head
cp -r scenarios base/
cp -r scenarios head/
echo "$base" >base/work.sh
echo 'sleep 1000' >head/work.sh

expect 1 run a --base base --head head --no-profile --no-explain
first_line_has "$out" 'REGRESSION a '
lacks "$out" 'COULD NOT MEASURE'
has "$out" 'a run reached its timeout of 3 s; none of the base'
holds '.scenarios[0] | .state == "failed" and .status == 1 and .timed_out_ms == 3000 and (.failure | startswith("head: "))'
holds '.scenarios[0].gates | map({ (.metric): .verdict }) | add | .["task-clock"] == "regression" and .["page-faults"] == "not-measured"'
for format in json markdown html junit; do
  expect 1 report --format "$format"
done
expect 1 report --format junit
has "$out" '<failure' 'reached its timeout'
lacks "$out" '<error'

# First the base alone reaches the timeout, then both sides.
expect 3 run a --base head --head base --no-profile
first_line_has "$out" 'could not measure a'
holds '.scenarios[0] | .status == 3 and (.failure | startswith("base: "))'
cp head/work.sh base/work.sh
expect 3 run a --base base --head head --no-profile
first_line_has "$out" 'could not measure a'

# A base that takes more than a tenth of the timeout proves nothing.
echo 'sleep 1' >base/work.sh
expect 3 run a --base base --head head --no-profile
holds '.scenarios[0] | .status == 3 and (.failure | startswith("head: "))'
