# pawl's default limit catches a program that does eight times the work. An eighth of the work is an improvement, which does
# not fail, and an accepted program that is measured again passes, even with --strict.

need awk
cat >work.sh <<'SH'
exec awk 'BEGIN { for (i = 0; i < 150000 * '"$(cat factor)"'; i++) s += i % 7; print s }'
SH
echo 1 >factor
mk_scenario a 'target: { command: [sh, work.sh] }' 'measure: { runs: 10 }'
mk_scenario same <<'YAML'
target: { command: [sh, -c, "for i in 1 2 3; do echo $$i; done"] }
measure: { runs: 5 }
gates: { page-faults: +10% }
YAML
expect 0 baseline update --reason 'before'
echo 8 >factor
expect 1 run a
first_line_has "$out" REGRESSION
has "$out" 'REGRESSION a CPU time +'
has pawl-out/latest/report.md REGRESSION
holds '.status == 1 and .scenarios[0].status == 1'
holds '.scenarios[0].gates[] | select(.metric == "task-clock") |
  .verdict == "regression" and .change_pct > 100 and .low_pct > 0 and .tolerance_pct >= 25'
echo -- the report again, from the result alone
expect 1 report
first_line_has "$out" REGRESSION
expect 1 report --format markdown
expect 1 report --format json

expect 0 baseline update a --from pawl-out/latest --reason 'more work'
echo 1 >factor
expect 0 run --strict
has "$out" 'improvement a'
lacks "$out" 'NOTHING WAS COMPARED' 'for the first time'
holds '.scenarios[0].gates[] | select(.metric == "task-clock") | .verdict == "improvement" and .change_pct < -50'
holds '.scenarios[1].gates[0] | .verdict == "pass" and .baseline > 0 and .n_baseline == 5 and .n_current == 5'
holds '.scenarios[1].gates[0] | .tolerance_pct == 10 and (.change_pct | fabs) < 10'
