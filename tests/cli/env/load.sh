# The load fails, does nothing, prints no work, or ends too early. Then nothing is measured, and nothing goes on running.

# load NAME COMMAND WORK: a scenario with this load.
load() {
  server_scenario "$1" '' 1 count <<'YAML'
measure: { runs: 2 }
gates: { task-clock: +50% }
YAML
  sed -i "/^load:/,/^measure:/{/^load:/b;/^measure:/b;d}" "scenarios/$1.yaml"
  sed -i "s%^load:%load: { command: \"$2\"$3 }%" "scenarios/$1.yaml"
}
work=", work: { regex: 'did ([0-9]+)', as: count }"
load fails 'echo cannot connect; exit 5' "$work"
load silent 'python3 $PWD/client.py ${port} 20 | tr d x' "$work"
load idle 'python3 $PWD/client.py ${port} 20; echo did 0 requests' "$work"
load early 'sleep 0.2' ", work: { regex: 'did ([0-9]+)', as: rate }"
load short 'python3 $PWD/client.py ${port} 300' ''
expect 3 run
gone "$PWD/server.py"
holds 'all(.scenarios[].gates[]; .verdict == "not-measured")'
failure fails 'the load exited with status 5'
failure silent "the load reported no throughput: its output has no match of 'did ([0-9]+)'"
failure idle 'the load did no work'
failure early 'the load'
failure short 'it was cut short: the load ended after'
has "$out" 'cannot connect'
