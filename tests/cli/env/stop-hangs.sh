# A stop command that hangs is ended after the grace period, together with the service.

server_scenario web '' 50 count <<<'measure: { runs: 1 }'
sed -i 's/stop: { grace: 1s }/stop: { command: "sleep 3673", grace: 500ms }/' scenarios/web.yaml
SECONDS=0
expect 0 run
[[ $SECONDS -lt 20 ]] || fail "took $SECONDS s"
has "$out" 'the stop command of service web failed: did not end within 0.5 s'
gone "$PWD/server.py"
gone 'sleep 3673'

# A stop command that works replaces the signal.
sed -i "s%command: .sleep 3673., grace: 500ms%command: \"pkill -f '[s]erver.py \${port}'; touch stopped\", grace: 5s%" scenarios/web.yaml
expect 0 run
[[ -e stopped ]] || fail 'the stop command was not run'
lacks "$out" 'stop command'
