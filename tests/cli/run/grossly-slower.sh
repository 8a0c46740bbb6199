# A program that hardly fits into its budget, or reaches its timeout, is still a regression.

need awk
cat >work.sh <<'SH'
exec awk 'BEGIN { for (i = 0; i < 100000 * '"$(cat factor)"'; i++) s += i % 7; print s }'
SH
echo 1 >factor
mk_scenario a 'target: { command: [sh, work.sh] }' 'measure: { runs: 20, budget: 60s }'
expect 0 baseline update --reason 'before'

# A budget of 1 ms has room for one run.
expect 0 run --budget 1ms
holds '.scenarios[0].gates[] | select(.metric == "task-clock") | .n_current == 1 and .verdict == "inconclusive"'
echo 100 >factor
expect 1 run --budget 1ms
first_line_has "$out" 'REGRESSION a '
holds '.scenarios[0].gates[] | select(.metric == "task-clock") |
  .n_current == 1 and .verdict == "regression" and .gross and .low_pct > 0'
expect 1 report

# A run that never ends is a regression if the baseline's runs took at most a tenth of the timeout.
sed -i 's/budget: 60s/budget: 60s, timeout: 4s/' scenarios/a.yaml
echo 1000000 >factor
expect 1 run
first_line_has "$out" 'REGRESSION a '
lacks "$out" 'COULD NOT MEASURE'
has "$out" 'a run reached its timeout of 4 s; none of the baseline'
holds '.scenarios[0] | .state == "failed" and .status == 1 and .timed_out_ms == 4000'
expect 1 report --format junit
has "$out" '<failure' 'reached its timeout'
lacks "$out" '<error'

# Without a baseline it could not be measured.
rm -r baselines
expect 3 run
first_line_has "$out" 'could not measure a'
