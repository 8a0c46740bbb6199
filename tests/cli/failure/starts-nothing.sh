# A scenario with an empty command is a failure, not a quick program.

mk_scenario a 'target: { command: "" }'
"$PAWL" run || echo "status $?"
mk_scenario a 'target: { command: [] }'
"$PAWL" run || echo "status $?"
mk_scenario a 'target: { command: [""] }'
"$PAWL" run || echo "status $?"
mk_scenario a 'target: {}'
"$PAWL" run || echo "status $?"
nothing_measured
