# Each failed probe reports its name, the time, and what it saw last. The service's log is quoted.

mk_server
probe() {
  mk_scenario slow <<YAML
env:
  - { name: web, command: "echo I am thinking; sleep 3671", ready: { $1, timeout: 400ms } }
target: { service: web }
YAML
  expect 3 run
  has "$out" "service web: $2" '0.4 s' 'I am thinking'
  gone 'sleep 3671'
}
probe 'tcp: "127.0.0.1:9"' 'tcp 127.0.0.1:9'
probe 'http: "http://127.0.0.1:9/"' 'http http://127.0.0.1:9/'
probe "log: 'no such line'" 'log'
probe 'file: not-there' 'file'
probe 'command: "exit 4"' 'command'
