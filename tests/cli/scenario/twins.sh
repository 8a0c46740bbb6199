# Two files with one scenario name would share a baseline, and are refused. One file named twice counts once.
. "$LIB"

mk_quick a
"$PAWL" check a scenarios/a.yaml ./scenarios/a.yaml
mk_scenario b <<YAML
name: a
target: { command: "true" }
YAML
"$PAWL" check
