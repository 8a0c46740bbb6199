# A command target talks to services. Its leftover processes are ended, the services' daemons are not.

mk_server
mk_scenario client <<YAML
env:
  - { name: web, command: [python3, "$PWD/server.py", "\${port}", --daemon, --forget], ready: { tcp: "127.0.0.1:\${port}" } }
target: { command: [python3, "$PWD/client.py", "\${port}", "30"] }
metrics:
  - { name: rate, regex: 'rate ([0-9.]+)', unit: req/s, better: higher }
measure: { runs: 3 }
gates: { rate: -50% }
YAML
expect 0 run
holds '[.scenarios[0].runs[].rate > 1] | all'
gone "$PWD/server.py"
