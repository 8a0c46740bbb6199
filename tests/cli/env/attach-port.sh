# With --attach, ${port} is the port that the process listens on. With no port or several it is unknown.

mk_server
cat >ports.py <<'PY'
import socket, sys, time
held = []
for i in range(int(sys.argv[1])):
    held.append(socket.create_server(('127.0.0.1', 0)))
print(*[s.getsockname()[1] for s in held], 'up', flush=True)
time.sleep(60)
PY
server_scenario web '' 20 count <<<'measure: { runs: 1 }'
trap 'kill $(jobs -p)' EXIT
attach() {
  python3 ports.py "$1" >ports 2>&1 & pid=$!
  eventually grep -q up ports
  expect 3 run --attach $pid web
}
attach 0
has "$out" "process $pid listens on no TCP port that could be seen"
attach 2
read -r a b _ <ports
has "$out" "process $pid listens on ports" "$a" "$b" 'Write its number into the scenario'
