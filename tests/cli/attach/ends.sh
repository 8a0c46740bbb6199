# The target ends within a window.

timeout 3 sh -c 'while :; do :; done' & pid=$!
mk_scenario ending <<YAML
target: { pid: $pid }
warmup: { runs: 0 }
measure: { window: 1s, runs: 20 }
YAML
expect 3 run
has "$out" 'has ended' "$pid"
wait $pid || true
