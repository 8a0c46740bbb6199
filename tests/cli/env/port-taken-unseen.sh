# Without a port probe the service itself finds the port taken, and its output is quoted.

mk_server
python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1); print(s.getsockname()[1], flush=True); time.sleep(60)' >port & holder=$!
trap 'kill $holder' EXIT
eventually test -s port
mk_scenario taken <<YAML
env:
  - { name: web, command: [python3, "$PWD/server.py", "$(cat port)"], ready: { log: '^listening' } }
target: { service: web }
YAML
expect 3 run
has "$out" 'service web: exited with status 1' 'Address already in use'
