# A scenario with an empty command is a failure, not a quick program.
. "$LIB"

mk_scenario a <<'YAML'
target: { command: "" }
YAML
"$PAWL" run || echo "status $?"
mk_scenario a <<'YAML'
target: { command: [] }
YAML
"$PAWL" run || echo "status $?"
mk_scenario a <<'YAML'
target: { command: [""] }
YAML
"$PAWL" run || echo "status $?"
mk_scenario a <<'YAML'
target: {}
YAML
"$PAWL" run || echo "status $?"
nothing_measured
