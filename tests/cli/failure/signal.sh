# If a signal kills the target, pawl exits with 3 and names the signal.

ulimit -c 0
mk_scenario a 'target: { command: "echo before; kill -SEGV $$$$" }'
mk_scenario b 'target: { command: [sh, -c, "kill -KILL $$$$"] }'
mk_quick c
expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"'
has "$out" before
holds '.scenarios[2].state == "measured"'
