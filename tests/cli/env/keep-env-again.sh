# The command that --keep-env prints measures the kept services, in their folder, on their ports, whichever is the target.

mk_server
mk_scenario two <<YAML
env:
  - { name: back, command: [python3, "$PWD/server.py", "\${port.back}"], ready: { tcp: "127.0.0.1:\${port.back}" } }
  - { name: front, command: "echo 30 >\${tmp}/much; exec python3 '$PWD/server.py' \${port}", ready: { tcp: "127.0.0.1:\${port}" } }
target: { service: back }
warmup: { runs: 0 }
load:
  # Both are asked, so that the backend's port for the front's would tell.
  command: "echo \${port} \${port.back} >>$PWD/ports; python3 $PWD/client.py \${port} 60; exec python3 $PWD/client.py \${port.back} \$(cat \${tmp}/much)"
  work: { regex: 'did ([0-9]+)', as: count }
measure: { runs: 1 }
YAML
expect 0 run --keep-env
stop=$(sed -n 's/stop it with: //p' "$err")
again=$(sed -n 's/measure it again with: //p' "$err")
back=$(sed -n 's/kept running: back: pid \([0-9]*\), port .*/\1/p' "$err")
front=$(sed -n 's/kept running: front: pid \([0-9]*\), port .*/\1/p' "$err")
[[ $again == PAWL_KEPT=*" pawl run --attach $back scenarios/two.yaml" ]] || fail "the command is $again"
kept=${again%% *}
export "${kept?}"
for pid in "$back" "$front"; do
  expect 0 run --attach "$pid" two
  holds ".scenarios[0].runs[0].work == 30 and (.scenarios[0].attached | contains(\"$pid\"))"
done
[[ $(sort -u ports | wc -l) -eq 1 && $(wc -l <ports) -ge 3 ]] || fail "the ports were $(cat ports)"
$stop
gone "$PWD/server.py"
ended() { [[ ! -e ${PAWL_KEPT%.kept} && ! -e $PAWL_KEPT ]]; }
eventually ended
expect 3 run --attach $$ two
has "$out" 'PAWL_KEPT'
