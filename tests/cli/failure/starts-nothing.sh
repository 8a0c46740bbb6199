# A scenario with an empty command is a failure, not a quick program.

mk_scenario a 'target: { command: "" }'
mk_scenario b 'target: { command: [] }'
mk_scenario c 'target: { command: [""] }'
mk_scenario d 'target: {}'
refused run
nothing_measured
