# A running server is found in every supported way.

mk_server
python3 "$PWD/server.py" 0 --say up >log 2>&1 & pid=$!
trap 'kill $pid' EXIT
eventually grep -q up log
port=$(python3 - $pid <<'PY'
import os, sys
pid = sys.argv[1]
inodes = {os.readlink(f'/proc/{pid}/fd/{f}')[8:-1] for f in os.listdir(f'/proc/{pid}/fd')
          if os.readlink(f'/proc/{pid}/fd/{f}').startswith('socket:')}
for line in open('/proc/net/tcp').read().splitlines()[1:]:
    w = line.split()
    if w[3] == '0A' and w[9] in inodes:
        print(int(w[1].split(':')[1], 16))
PY
)
echo $pid >server.pid
attach() {
  mk_scenario running <<YAML
target: { $1 }
warmup: { runs: 0 }
load: { command: [python3, "$PWD/client.py", "$port", "60"], work: { regex: 'did ([0-9]+)', as: count } }
measure: { runs: 1 }
YAML
  expect 0 run
  holds '.scenarios[0].runs[0] | .work == 60 and ."task-clock" > 55'
  kill -0 $pid || fail "the target was ended after $1"
}
attach "pid: $pid"
attach 'pidfile: server.pid'
attach "process: 'server\\.py 0 --say up'"
attach "port: $port"
