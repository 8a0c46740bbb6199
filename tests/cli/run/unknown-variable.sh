# An undefined variable is a fault of the scenario.

mk_scenario a 'vars: { word: x }' 'target: { command: "echo ${wrd} ${port.a b} ${ ${word}" }'
"$PAWL" run
