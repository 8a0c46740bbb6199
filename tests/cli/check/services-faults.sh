# All faults of services, loads and metrics are reported at once, each under its key. Settings that do not apply to an
# attached target, a command or a load of fixed work are faults.

mkdir scenarios
cat >scenarios/bad.yaml <<'YAML'
version: 1
env:
  - name: redis
    command: [redis-server, "${prot}"]
    ready: { tcp: "6379", http: "https://127.0.0.1/" }
  - name: web
    comand: ./web
    ready: { log: "(ready", timeout: 10 }
    stop: { signal: SIGSTOPP }
  - name: redis
    command: x
    ready: { tcp: "h:1", delay: 1s }
target: { service: rediss, cwd: data }
load:
  command: [./load]
  work: { regex: "(a{99,9})", as: total }
metrics:
  - { name: ipc, json: a, better: lower }
  - { name: hits, json: b }
measure: { counters: sim, window: 0s }
gates: { hits: { max: x }, missess: +5% }
YAML
mk_scenario fixed-a 'target: { pid: 12, user: root }' 'measure: { cpus: 1, aslr: false, counters: sim }'
mk_scenario fixed-b 'target: { command: "true" }' 'load: { command: "true" }' 'measure: { window: 1s }'
mk_scenario fixed-c <<'YAML'
target: { port: 80 }
load: { command: "true", work: { json: done, as: count } }
measure: { window: 1s }
YAML
mk_scenario fixed-d 'target: { port: 80, command: "true" }'
"$PAWL" check
