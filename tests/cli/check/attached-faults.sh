# Settings that do not apply to an attached target, a command or a load of fixed work are faults.
. "$LIB"

mk_scenario a <<'YAML'
target: { pid: 12, user: root }
measure: { cpus: 1, aslr: false, counters: sim }
YAML
mk_scenario b <<'YAML'
target: { command: "true" }
load: { command: "true" }
measure: { window: 1s }
YAML
mk_scenario c <<'YAML'
target: { port: 80 }
load: { command: "true", work: { json: done, as: count } }
measure: { window: 1s }
YAML
mk_scenario d <<'YAML'
target: { port: 80, command: "true" }
YAML
"$PAWL" check
