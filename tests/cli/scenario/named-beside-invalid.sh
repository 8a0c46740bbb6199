# A scenario asked for by name runs although another file has faults.
. "$LIB"

mk_quick good
mk_scenario bad <<YAML
target: { command: }
YAML
"$PAWL" list good
expect 0 run good
holds '[.scenarios[].name] == ["good"]'
