# A warm-up by duration ends on time, however long a window or the load is.

server_scenario web '' 4s rate <<<'measure: { window: 1s, runs: 1 }'
sed -i 's/warmup: .*/warmup: { duration: 600ms }/' scenarios/web.yaml
start=$(date +%s%N)
expect 0 run
# The run takes one load of four seconds, not two.
[[ $((($(date +%s%N) - start) / 1000000)) -lt 7500 ]] || fail 'the warm-up lasted as long as the load'
holds '[.scenarios[0].runs[] | ."wall-time" > 990 and ."wall-time" < 1200] | all'
