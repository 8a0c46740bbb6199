# If setup or prepare fails, the target is not started, cleanup runs, and the output is quoted. A failing cleanup is only
# reported.

failing() { mk_scenario "$1" 'target: { command: touch started }' "cleanup: echo $1 >>cleaned" "$2"; }
failing setup 'setup: echo no data today; exit 4'
failing prepare 'prepare: echo cannot prepare; exit 1'
mk_scenario cleanup 'target: { command: "true" }' 'measure: { runs: 2 }' 'cleanup: exit 5'
mk_quick b
expect 3 run
has "$out" 'no data today' 'cannot prepare'
result '.scenarios[] | "\(.name): \(.state)", (.failure // empty), .notes[]'
[[ ! -e started ]] || fail 'the target was started'
sort cleaned
cat pawl-out/latest/setup/setup.log
