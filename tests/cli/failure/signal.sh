# If a signal kills the target, pawl exits with 3 and names the signal.
. "$LIB"

ulimit -c 0
mk_scenario a <<'YAML'
target: { command: "echo before; kill -SEGV $$$$" }
YAML
mk_scenario b <<'YAML'
target: { command: [sh, -c, "kill -KILL $$$$"] }
YAML
mk_quick c
expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"'
has "$out" before
holds '.scenarios[2].state == "measured"'
