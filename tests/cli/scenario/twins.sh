# Two files of one name would share a baseline; one file named twice is meant once.
. "$LIB"

mk_quick a
"$PAWL" list a scenarios/a.yaml ./scenarios/a.yaml
mk_scenario b <<YAML
name: a
target: { command: "true" }
YAML
"$PAWL" list
