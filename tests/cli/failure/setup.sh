# If setup fails, the target is not started, cleanup runs, and setup's output is quoted.

mk_scenario a 'setup: echo no data today; exit 4' 'target: { command: touch started }' 'cleanup: echo cleaned >cleaned'
mk_quick b
expect 3 run
has "$out" 'no data today'
result '.scenarios[0].failure'
[[ ! -e started ]] || fail 'the target was started'
cat cleaned
cat pawl-out/latest/a/setup.log
holds '.scenarios[1].state == "measured"'
