# An eighth of the work is an improvement, which does not fail.

need awk
echo 'exec awk "BEGIN { for (i = 0; i < 1200000; i++) s += i % 7; print s }"' >work.sh
mk_scenario a 'target: { command: [sh, work.sh] }' 'measure: { runs: 10 }' 'gates: { task-clock: default }'
expect 0 baseline update --reason 'before'
sed -i 's/1200000/150000/' work.sh
expect 0 run --strict
has "$out" 'improvement a'
holds '.scenarios[0].gates[0] | .verdict == "improvement" and .change_pct < -50'
