# Another process answers at the port, and a probe must not take it for the service.

mk_server
python3 "$PWD/server.py" 0 --late 60 & idle=$!
python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1); print(s.getsockname()[1], flush=True); time.sleep(60)' >port & holder=$!
trap 'kill $idle $holder' EXIT
eventually test -s port
mk_scenario taken <<YAML
env:
  - { name: web, command: [python3, "$PWD/server.py", "$(cat port)"], ready: { tcp: "127.0.0.1:$(cat port)" } }
target: { service: web }
YAML
expect 3 run
has "$out" "service web: port $(cat port) is already taken by python3 ($holder)" 'port}'
