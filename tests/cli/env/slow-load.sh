# A load takes a second to start. Windows begin once the target works, so no window is idle.

server_scenario web '' 4s rate <<<'measure: { window: 700ms, runs: 2 }'
sed -i "s%^  command: .*client.py.*%  command: sleep 1; exec python3 $PWD/client.py \${port} 3s%" scenarios/web.yaml
expect 0 run
lacks "$out" 'not counted'
holds '[.scenarios[0].runs[] | ."task-clock" > 0.1 * ."wall-time"] | all'
