# A service that ignores SIGTERM is killed after its grace period, and the report says so.

server_scenario web '--stubborn' 50 count <<<'measure: { runs: 1 }'
expect 0 run
has "$out" 'service web did not stop within 1 s of its stop signal; it was killed'
gone "$PWD/server.py"
