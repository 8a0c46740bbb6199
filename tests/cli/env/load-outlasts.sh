# A load outlasts its window. It gets time if its metrics are needed, and is then asked to end.

server_scenario web '' 60s count <<<'measure: { timeout: 600ms, runs: 2 }'
expect 3 run
has "$out" 'in window 1: the load did not end within 0.6 s (measure.timeout)'
gone "$PWD/client.py"

# The load prints metrics only at its end, which never comes.
server_scenario web '' 60s rate <<<'measure: { window: 300ms, runs: 2 }'
SECONDS=0
expect 3 run
[[ $SECONDS -ge 5 ]] || fail "it was not waited for: $SECONDS s"
has "$out" 'the load reported no throughput: it still ran 5' KeyboardInterrupt

# Ended by SIGINT, the load prints its metrics. Its exit status is ignored then.
cat >stops.py <<'PY'
import signal, socket, sys

def stop(*_):
    print('rate 500.0 requests per second', flush=True)
    sys.exit(9)
signal.signal(signal.SIGINT, stop)
while True:
    with socket.create_connection(('127.0.0.1', int(sys.argv[1]))) as c:
        c.send(b'GET / HTTP/1.0\r\n\r\n')
        while c.recv(1000):
            pass
PY
server_scenario web '' 60s rate <<<'measure: { window: 1s, runs: 1 }'
with_load() { sed -i "s%^  command: .*client.py.*%  command: $1%" scenarios/web.yaml; }
with_load "[python3, $PWD/stops.py, \"\${port}\"]"
expect 0 run
holds '.scenarios[0].runs[0] | .work / ."wall-time" * 1000 - 500 | fabs < 0.01'

# A load without metrics gets no extra time. One that ignores SIGINT is killed.
server_scenario web '' 60s rate <<<'measure: { window: 1s, runs: 1 }'
sed -i '/^  work:/d' scenarios/web.yaml
SECONDS=0
expect 0 run
[[ $SECONDS -lt 5 ]] || fail "it was waited for: $SECONDS s"
with_load "\"trap '' INT; python3 $PWD/client.py \${port} 61s\""
expect 0 run
gone "$PWD/client.py"
gone "$PWD/server.py"
