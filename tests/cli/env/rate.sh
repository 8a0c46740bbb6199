# A load at a rate outlasts the window. The window has its exact length, and work is rate times time. If the load takes a
# second to start, windows begin once the target works, so no window is idle. A warm-up by duration ends on time, however
# long a window or the load is.

server_scenario exact '' 2s rate <<'YAML'
measure: { window: 700ms, runs: 2 }
gates: { task-clock: +50% }
YAML
server_scenario slow '' 4s rate <<<'measure: { window: 700ms, runs: 2 }'
sed -i "s%^  command: .*client.py.*%  command: sleep 1; exec python3 $PWD/client.py \${port} 3s%" scenarios/slow.yaml
server_scenario warm '' 4s rate <<<'measure: { window: 1s, runs: 1 }'
sed -i 's/warmup: .*/warmup: { duration: 600ms }/' scenarios/warm.yaml
expect 0 run
lacks "$out" 'not counted'
runs() { holds "[.scenarios[] | select(.name == \"$1\").runs[] | $2] | length > 0 and all"; }
runs exact '."wall-time" >= 699 and ."wall-time" < 800'
runs exact '.work / ."wall-time" * 1000 - .throughput | fabs < 0.01'
# The server is busy for a millisecond per request and waits in between.
runs exact '."task-clock" < 1.05 * ."wall-time"'
runs slow '."task-clock" > 0.1 * ."wall-time"'
runs warm '."wall-time" > 990 and ."wall-time" < 1200'
# The warm-up does not last as long as its load of four seconds.
holds '.scenarios[] | select(.name == "warm").phases.warm_up_s | . >= 0.6 and . < 3.5'
