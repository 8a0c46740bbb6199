# A service that dies during a window is reported with its last output, and the window is not averaged in.

server_scenario web '--crash-after 150' 100 count <<'YAML'
measure: { runs: 5 }
gates: { task-clock: +50% }
YAML
expect 3 run
has "$out" 'in window 2' 'service web: was killed by SIGSEGV' 'giving up'
holds '.scenarios[0].gates[0].verdict == "not-measured"'

# The same for a service that is not the target.
server_scenario web '' 2s rate <<<'measure: { window: 1s, runs: 3 }'
sed -i 's/^env:/env:\n  - { name: helper, command: "sleep 1.5; echo bye; exit 3" }/' scenarios/web.yaml
expect 3 run
has "$out" 'service helper: exited with status 3' 'bye'
