# pawl's default limit catches a program that does eight times the work.

need awk
mkdir bin
cat >work.sh <<'SH'
exec awk 'BEGIN { for (i = 0; i < 150000 * '"$(cat factor)"'; i++) s += i % 7; print s }'
SH
echo 1 >factor
mk_scenario a 'target: { command: [sh, work.sh] }' 'measure: { runs: 10 }'
expect 0 baseline update --reason 'before'
echo 8 >factor
expect 1 run
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
