# The load fails, does nothing, prints no work, or ends too early.

load() {
  server_scenario web '' 1 count <<'YAML'
measure: { runs: 2 }
gates: { task-clock: +50% }
YAML
  sed -i "/^load:/,/^measure:/{/^load:/b;/^measure:/b;d}" scenarios/web.yaml
  sed -i "s%^load:%load: { command: \"$1\"$2 }%" scenarios/web.yaml
  expect 3 run
  has "$out" "$3"
  holds '.scenarios[0].gates[0].verdict == "not-measured"'
  gone "$PWD/server.py"
}
work=", work: { regex: 'did ([0-9]+)', as: count }"
load 'echo cannot connect; exit 5' "$work" 'the load exited with status 5'
has "$out" 'cannot connect'
load 'python3 $PWD/client.py ${port} 20 | tr d x' "$work" "the load reported no throughput: its output has no match of 'did ([0-9]+)'"
load 'python3 $PWD/client.py ${port} 20; echo did 0 requests' "$work" 'the load did no work'
load 'sleep 0.2' ", work: { regex: 'did ([0-9]+)', as: rate }" 'the load'
load 'python3 $PWD/client.py ${port} 30' '' 'it was cut short: the load ended after'
