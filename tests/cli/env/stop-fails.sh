# One stop command fails, another succeeds without stopping anything. Both are reported, and the service is killed.

server_scenario web '' 50 count <<<'measure: { runs: 1 }'
sed -i 's/stop: { grace: 1s }/stop: { command: "echo no such server; exit 4", grace: 500ms }/' scenarios/web.yaml
expect 0 run
has "$out" 'the stop command of service web failed: exited with status 4' \
  'service web did not stop within 0.5 s of its stop command; it was killed'
gone "$PWD/server.py"
sed -i 's/echo no such server; exit 4/true/' scenarios/web.yaml
expect 0 run
lacks "$out" 'stop command of service web failed'
has "$out" 'did not stop within 0.5 s of its stop command; it was killed'
gone "$PWD/server.py"
