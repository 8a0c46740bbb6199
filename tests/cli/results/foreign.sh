# Files of hyperfine and of Google Benchmark are compared as stored runs; what is wrong with one is said with its place.
. "$LIB"

hyperfine() { printf '{"results": [{"command": "./sort -n", "mean": 1, "times": [%s], "exit_codes": [0, 0, 0, 0, 0, 1]}]}\n' "$1"; }
hyperfine '0.100, 0.101, 0.102, 0.100, 0.103, 0.101' >fast.json
hyperfine '0.400, 0.401, 0.402, 0.400, 0.403, 0.401' >slow.json
expect 1 compare fast.json slow.json
has "$out" 'sort-n wall-time +2' '25 %' 'hyperfine does not write which machine' '1 of 6 runs did not end with status 0'
lacks "$out" 'baseline update' 'pawl run'
expect 0 compare slow.json fast.json --format json
holds '.scenarios[0] | .name == "sort-n" and .description == "./sort -n" and (.runs | length) == 6 and .runs[0]."wall-time" == 100' "$out"
holds '.scenarios[0].gates[0] | .metric == "wall-time" and .verdict == "improvement" and .tolerance_pct == 25' "$out"
expect 0 compare fast.json fast.json
has "$out" 'INCONCLUSIVE' "pawl ab 'OLD' 'NEW'"
lacks "$out" '--base-ref'
expect 4 compare fast.json fast.json --strict

# Of Google Benchmark: repetitions are runs, aggregates are left out, a benchmark that failed is a failure.
google() {
  cat <<JSON
{"context": {"num_cpus": ${2:-8}, "host_name": "h"}, "benchmarks": [
 {"name": "BM_Sort<int>/8", "run_type": "iteration", "real_time": $1, "cpu_time": $1, "time_unit": "${3:-us}"},
 {"name": "BM_Sort<int>/8", "run_type": "iteration", "real_time": $1.1, "cpu_time": $1.1, "time_unit": "${3:-us}"},
 {"name": "BM_Sort<int>/8_mean", "run_type": "aggregate", "real_time": 1, "cpu_time": 1, "time_unit": "ns"}${4:-}
]}
JSON
}
google 100 >fast.google
google 900 >slow.google
expect 1 compare fast.google slow.google
has "$out" 'BM_Sort-int-8 cpu-time +800 %' 'Google Benchmark does not write'
google 100 4 >other.google
expect 0 compare other.google fast.google
has "$out" 'NOTHING WAS COMPARED' 'another machine class'
google 100 8 us ', {"name": "BM_Bad", "error_occurred": true, "error_message": "no <input>"}' >bad.google
expect 3 compare fast.google bad.google
has "$out" 'BM_Bad' 'the benchmark failed: no <input>'

refused() {
  local words=$1
  shift
  expect 2 compare "$@"
  has "$err" "$words"
}
refused 'slow.json is a file of hyperfine, fast.google one of Google Benchmark' slow.json fast.google
google 100 8 days >wrong
refused "wrong: \$.benchmarks[0].time_unit: expected one of ns, us, ms, s, found 'days'" fast.google wrong
google 10000000000000 8 s >wrong
refused 'wrong: $.benchmarks[0].real_time: expected a time, found one of more than 30 years' fast.google wrong
google -5 >wrong
refused 'wrong: $.benchmarks[0].real_time: expected a number that is not negative, found -5' fast.google wrong
hyperfine '1e10' >wrong
refused 'wrong: $.results[0].times[0]: expected a time in seconds, found more than 30 years' fast.json wrong
hyperfine '' >wrong
refused 'wrong: $.results[0].times: expected the time of at least one run' fast.json wrong
hyperfine '"soon"' >wrong
refused 'wrong: $.results[0].times[0]: expected a number, found a string' fast.json wrong
echo '{"results": [{"command": "a", "times": [1]}, {"command": "a", "times": [1]}]}' >wrong
refused 'wrong: $.results[1].command: the command is there twice' fast.json wrong
echo '{"benchmarks": []}' >wrong
refused 'wrong: $.benchmarks: there is no benchmark in it' fast.google wrong
echo '{"other": []}' >wrong
refused 'wrong: $: the key "schema" is missing' wrong fast.json
head -c 9000000 /dev/zero | tr '\0' ' ' >wrong
refused 'wrong' wrong fast.json
nothing_measured
