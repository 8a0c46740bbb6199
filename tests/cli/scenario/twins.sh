# Two files with one scenario name would share a baseline, and are refused. One file named twice counts once.

mk_quick a
"$PAWL" check a scenarios/a.yaml ./scenarios/a.yaml
mk_scenario b 'name: a' 'target: { command: "true" }'
"$PAWL" check
