# An undefined variable is a fault of the scenario.
. "$LIB"

mk_scenario a <<'YAML'
vars: { word: x }
target: { command: "echo ${wrd} ${port.a b} ${ ${word}" }
YAML
"$PAWL" run
