# A service that does not get ready is reported with its probe, the time and what the probe saw last, and its log is quoted.
# One that ends before it serves is reported at once, not at the timeout. A probe must not take another process at the port,
# or the file of an earlier run, for the service.

mk_server
python3 "$PWD/server.py" 0 --late 60 & idle=$!
python3 -c 'import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(1); print(s.getsockname()[1], flush=True); time.sleep(60)' >port & holder=$!
trap 'kill $idle $holder' EXIT
eventually test -s port
port=$(cat port)

# service NAME COMMAND [READY]: a scenario whose service runs COMMAND.
service() {
  printf '%s\n' 'env:' "  - { name: web, command: $2${3:+, ready: { $3 \}} }" 'target: { service: web }' | mk_scenario "$1"
}
probe() { service "probe-$1" '"echo I am thinking; sleep 3671"' "$2, timeout: 400ms"; }
probe command 'command: "exit 4"'
probe file 'file: not-there'
probe http 'http: "http://127.0.0.1:9/"'
probe log "log: 'no such line'"
probe tcp 'tcp: "127.0.0.1:9"'
service ends-1 '"echo no configuration >&2; exit 7"' 'tcp: "127.0.0.1:9", timeout: 50s'
service ends-2 '"exit 0"' 'tcp: "127.0.0.1:9", timeout: 50s'
service ends-3 '[no-such-server, --port, "1"]'
service taken "[python3, \"$PWD/server.py\", \"$port\"]" "tcp: \"127.0.0.1:$port\""
service unseen "[python3, \"$PWD/server.py\", \"$port\"]" "log: '^listening'"
touch -d '1 minute ago' ready.mark
sleep 0.1
service stale '"sleep 3677"' 'file: ready.mark, timeout: 300ms'
SECONDS=0
expect 3 run
[[ $SECONDS -lt 20 ]] || fail "took $SECONDS s"
gone 'sleep 3671'
failure probe-command 'service web: command' '0.4 s' 'I am thinking'
failure probe-file 'service web: file' '0.4 s' 'I am thinking'
failure probe-http 'service web: http http://127.0.0.1:9/' '0.4 s' 'I am thinking'
failure probe-log 'service web: log' '0.4 s' 'I am thinking'
failure probe-tcp 'service web: tcp 127.0.0.1:9' '0.4 s' 'I am thinking'
failure ends-1 'service web: exited with status 7' 'no configuration'
failure ends-2 'exited with status 0 and left nothing running'
failure ends-3 'service web: no-such-server: cannot be started'
failure taken "service web: port $port is already taken by python3 ($holder)" 'port}'
failure unseen 'service web: exited with status 1' 'Address already in use'
failure stale 'did not appear within 0.3 s (it is there, but from before the service started)'
has "$out" 'I am thinking' 'no configuration' 'Address already in use'

# The file counts once the service touches it.
service stale '"touch ready.mark; exec sleep 3677"' 'file: ready.mark, timeout: 5s'
sed -i 's/^target:.*/target: { command: "true" }/' scenarios/stale.yaml
expect 0 run stale
