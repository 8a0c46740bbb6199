# A load reports errors and exits with 0. load.fail makes that a failure, and the report quotes the line.

server_scenario web '' 20 count <<<'measure: { runs: 2 }'
sed -i "s|^  work:|  fail: 'p99 [0-9.]+ ms\$'\n&|" scenarios/web.yaml
cp scenarios/web.yaml kept.yaml
expect 3 run
holds '.scenarios[0].failure | test("the load reported that it failed: .rate [0-9.]+ requests per second, p99 [0-9.]+ ms. .load.fail.")'
sed 's/p99/errors/' kept.yaml >scenarios/web.yaml
expect 0 run
holds '.scenarios[0].runs | length == 2'
sed 's/p99/((/' kept.yaml >scenarios/web.yaml
expect 2 check
has "$err" 'load.fail: the regular expression'
