# A service that ends before it serves is reported at once, not at the timeout.

mk_scenario early <<YAML
env:
  - { name: web, command: "echo no configuration >&2; exit 7", ready: { tcp: "127.0.0.1:9", timeout: 50s } }
target: { service: web }
YAML
SECONDS=0
expect 3 run
[[ $SECONDS -lt 10 ]] || fail "took $SECONDS s"
has "$out" 'service web: exited with status 7' 'no configuration'

mk_scenario early <<YAML
env:
  - { name: web, command: "exit 0", ready: { tcp: "127.0.0.1:9", timeout: 50s } }
target: { service: web }
YAML
expect 3 run
has "$out" 'exited with status 0 and left nothing running'

mk_scenario early 'env:' '  - { name: web, command: [no-such-server, --port, "1"] }' 'target: { service: web }'
expect 3 run
has "$out" 'service web: no-such-server: cannot be started'
