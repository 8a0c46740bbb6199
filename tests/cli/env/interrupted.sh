# After an interrupt, during the start of a service or in a window, everything stops and measured values are kept.

server_scenario web '--late 60' 60s rate <<<'measure: { window: 50s }'
interrupted TERM "$PWD/server.py" run
server_scenario web '' 60s rate <<<'measure: { window: 50s }'
interrupted INT "$PWD/client.py" run
gone "$PWD/server.py"
