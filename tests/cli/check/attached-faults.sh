# Settings that do not apply to an attached target, a command or a load of fixed work are faults.

mk_scenario a 'target: { pid: 12, user: root }' 'measure: { cpus: 1, aslr: false, counters: sim }'
mk_scenario b 'target: { command: "true" }' 'load: { command: "true" }' 'measure: { window: 1s }'
mk_scenario c <<'YAML'
target: { port: 80 }
load: { command: "true", work: { json: done, as: count } }
measure: { window: 1s }
YAML
mk_scenario d 'target: { port: 80, command: "true" }'
"$PAWL" check
