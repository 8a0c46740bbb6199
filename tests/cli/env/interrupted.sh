# After an interrupt, during the start of a service or in a window, everything stops and measured values are kept.
. "$LIB"

server_scenario web '--late 60' 60s rate <<'YAML'
measure: { window: 50s }
YAML
interrupted TERM "$PWD/server.py" run
server_scenario web '' 60s rate <<'YAML'
measure: { window: 50s }
YAML
interrupted INT "$PWD/client.py" run
gone "$PWD/server.py"
