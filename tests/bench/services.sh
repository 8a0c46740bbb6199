# The cost of services; sourced by bench.sh, after lib.sh. Medians, with the smallest and the largest in
# brackets.
#
# While pawl waits for a service, or for the end of a window, the service or the load samples pawl once
# a second (sample.sh). Each value covers one second. Start and stop times come from the hooks: setup runs
# right before the first service starts, prepare when the last one serves, and cleanup when all have
# ended. A load of fixed work, or a target, ends with the last window.
# shellcheck shell=bash

command -v python3 >/dev/null || { echo 'bench: services need python3' >&2; exit 3; }
rounds=${BENCH_ROUNDS:-5}

# -------- waiting for readiness

cat >late.py <<'PY'
import http.server, socketserver, sys

socketserver.TCPServer.allow_reuse_address = True
socketserver.TCPServer(('127.0.0.1', int(sys.argv[1])), http.server.SimpleHTTPRequestHandler).serve_forever()
PY

late() { # NAME THEN READY
  scenario "wait-$1" <<YAML
env:
  - { name: late, command: "sh sample.sh \$PPID wait-$1 5; $2", ready: { $3, timeout: 20s } }
target: { command: "true" }
warmup: { runs: 0 }
measure: { runs: 1 }
YAML
}
# shellcheck disable=SC2016
{
  late tcp 'exec python3 late.py ${port}' 'tcp: "127.0.0.1:${port}"'
  late http 'exec python3 late.py ${port}' 'http: "http://127.0.0.1:${port}/pawl.yaml"'
}
late log 'echo ready to serve; exec sleep 60' 'log: ready to serve'
late file 'touch late; exec sleep 60' "file: late"
late command 'touch late2; exec sleep 60' 'command: [test, -e, late2]'

# -------- during a window

# Uses a few percent of a CPU; pawl would call less idle.
cat >idle.sh <<'SH2'
echo up
while :; do
  i=0
  while [ "$i" -lt 10000 ]; do i=$((i + 1)); done
  sleep 0.1
done
SH2
cat >chatty.py <<'PY'
import os, sys, time

line, rate = b'a line of a service that has much to say, most of it of no interest\n', float(sys.argv[1])
block = line * 1000
start, done = time.monotonic(), 0
while True:
    sum(range(10000))
    done += os.write(1, block)
    time.sleep(max(0, done / rate - (time.monotonic() - start)))
PY

window() { # NAME COMMAND
  scenario "window-$1" <<YAML
env: [{ name: it, command: [$2], ready: { log: . } }]
target: { service: it }
warmup: { runs: 0 }
load: { command: "sleep 0.4; sh sample.sh \$PPID window-$1 5; exec sleep 60" }
measure: { runs: 1, window: 5s }
YAML
}
window idle 'sh, idle.sh'
window chatty 'python3, chatty.py, "20e6"'
window flood 'yes, a line of a service that has much to say'
# Attached by a port: pawl finds the processes in the process tree of the whole machine.
scenario window-port <<'YAML'
env:
  - name: it
    command: "sh idle.sh & exec python3 late.py ${port}"
    ready: { tcp: "127.0.0.1:${port}" }
target: { port: "${port}" }
warmup: { runs: 0 }
load: { command: "sleep 0.4; sh sample.sh $PPID window-port 5; exec sleep 60" }
measure: { runs: 1, window: 5s }
YAML

# -------- start and end

# A repeated window overwrites its times; cleanup saves the last ones.
now() { echo "date +%s%N >$1"; }
kept() { echo "echo \$(cat $1.0 $1.1 $1.2) \$(date +%s%N) >>$1"; }
many() { # NAME SERVICE...
  local name=$1
  shift
  scenario "$name" <<YAML
setup: "$(now "$name.0")"
prepare: "$(now "$name.1")"
cleanup: "$(kept "$name")"
env: [$(printf '%s, ' "$@")]
target: { command: "$(now "$name.2")" }
warmup: { runs: 0 }
measure: { runs: 1 }
YAML
}
sleeps=() saying=()
for i in $(seq 10); do
  sleeps+=("{ name: s$i, command: [sleep, 60] }")
  saying+=("{ name: s$i, command: \"echo up; exec sleep 60\", ready: { log: up } }")
done
many one '{ name: s1, command: [sleep, 60] }'
many ten-at-once "${sleeps[@]}"
many ten-that-say-so "${saying[@]}"

cat >polite.py <<'PY'
import os, signal, sys, time

if sys.argv[1] == 'daemon':
    if os.fork():
        os._exit(0)
    os.setsid()
children = []
for i in range(4 if sys.argv[1] == 'workers' else 0):
    children.append(os.fork())
    if not children[-1]:
        signal.pause()

def stop(*unused):
    for child in children:
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
    os._exit(0)

signal.signal(signal.SIGTERM, stop)
print('up', flush=True)
while True:
    sum(range(100000))
    time.sleep(0.01)
PY
polite() { # NAME COMMAND
  scenario "stop-$1" <<YAML
setup: "$(now "stop-$1.0"); $(now "stop-$1.1")"
cleanup: "$(kept "stop-$1")"
env: [{ name: it, command: $2, ready: { log: up } }]
target: { service: it }
warmup: { runs: 0 }
load: { command: "sleep 0.3; echo did 1; $(now "stop-$1.2")", work: { regex: 'did ([0-9]+)', as: count } }
measure: { runs: 1 }
YAML
}
polite single '[python3, polite.py, single]'
polite workers '[python3, polite.py, workers]'
polite daemon '[python3, polite.py, daemon]'
polite shell '"python3 polite.py single; true"'

# -------- a gigabyte of log

scenario gigabyte <<'YAML'
setup: sh sample.sh $PPID gigabyte
env: [{ name: flood, command: "yes a line of a service that has much to say | head -c 1000000000; touch flooded; exec sleep 60", ready: { file: flooded, timeout: 60s } }]
prepare: sh sample.sh $PPID gigabyte
cleanup: rm flooded
target: { command: "true" }
warmup: { runs: 0 }
measure: { runs: 1 }
YAML

# -------- the figures

# share FILE: CPU use of pawl and its keeper in each second, in percent of a CPU.
share() { awk 'NR > 1 { print ($2 + $3 - cpu) / ($1 - now) * 100 } { now = $1; cpu = $2 + $3 }' "$1" | middle; }
# speed FILE: megabytes that pawl read in each second.
speed() { awk 'NR > 1 { print ($6 - bytes) / ($1 - now) * 1e3 } { now = $1; bytes = $6 }' "$1" | middle; }
# starting FILE, stopping FILE: times in seconds.
starting() { awk '{ print ($2 - $1) / 1e9 }' "$1" | middle; }
stopping() { awk '{ print ($4 - $3) / 1e9 }' "$1" | middle; }

measured waits wait-{tcp,http,log,file,command}
measured windows window-{idle,port,chatty,flood}
for ((round = 0; round < rounds; round++)); do
  measured rounds one ten-at-once ten-that-say-so stop-{single,workers,daemon,shell} gigabyte
done

echo
echo "services, $rounds rounds or one value a second:"
# shellcheck disable=SC2046
{
  for kind in tcp http log file command; do row "CPU while waiting for ready.$kind" % 1 $(share "wait-$kind"); done
  row 'CPU during a window, quiet service' % 1 $(share window-idle)
  row 'CPU during a window, attached by port' % 1 $(share window-port)
  row 'CPU during a window, service that logs' % 5 $(share window-chatty)
  row '  of which pawl reads' MB/s none $(speed window-chatty)
  row 'CPU during a window, service that floods' % none $(share window-flood)
  row '  of which pawl reads' MB/s none $(speed window-flood)
  row 'starting 1 service that is ready at once' s 0.05 $(starting one)
  row 'starting 10 services that are ready at once' s 0.3 $(starting ten-at-once)
  row 'starting 10 services that say so at once' s 0.5 $(starting ten-that-say-so)
  row 'stopping 10 services' s 0.3 $(stopping ten-at-once)
  for kind in single workers daemon shell; do row "stopping a polite service: $kind" s 0.3 $(stopping "stop-$kind"); done
  row 'peak memory of pawl after 1 GB of log' MiB 32 $(awk '{ print $4 / 1024 }' gigabyte | middle)
  row '  CPU that pawl used to read it' s 1 $(awk 'NR % 2 == 0 { print ($2 + $3 - cpu) / 1e9 } { cpu = $2 + $3 }' gigabyte | middle)
}
