# A running server is found in every supported way.

mk_server
port=$(free_port)
python3 "$PWD/server.py" "$port" --say up >log 2>&1 & pid=$!
trap 'kill $pid' EXIT
eventually grep -q up log
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
attach "process: 'server\\.py $port --say up'"
attach "port: $port"
