# compare reads only pawl's results. For another program's file the error names that program and the alternative.

refused() {
  expect 2 compare "$1" "$1"
  has "$err" "$1: this is a file of $2, and pawl compares its own results" "harness: $2 in a scenario's target" "pawl ab 'OLD' 'NEW'"
}
echo '{"results": [{"command": "./sort -n", "times": [0.1, 0.2]}]}' >hyperfine.json
refused hyperfine.json hyperfine
echo '{"context": {"num_cpus": 8}, "benchmarks": [{"name": "BM_Sort", "real_time": 1, "cpu_time": 1}]}' >google.json
refused google.json google-benchmark
echo '{"machine_info": {}, "benchmarks": [{"name": "test_sort", "stats": {}}]}' >pytest.json
refused pytest.json pytest-benchmark
echo '{"other": []}' >wrong
expect 2 compare wrong wrong
has "$err" 'wrong: $: the key "schema" is missing'
head -c 9000000 /dev/zero | tr '\0' ' ' >large
expect 2 compare large large
has "$err" 'large'
nothing_measured
