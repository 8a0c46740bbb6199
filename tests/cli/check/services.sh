# check starts nothing, even for scenarios with services and attached targets.

mk_scenario service <<'YAML'
description: a service under a load
env:
  - name: store
    command: [./store, "${port.store}"]
    ready: { log: "^ready", timeout: 5s }
  - name: web
    command: touch ../started
    cwd: ${scenario_dir}
    environment: { STORE: "127.0.0.1:${port.store}" }
    ready: { http: "http://127.0.0.1:${port}/", status: 204 }
    stop: { command: [./web, stop], grace: 1s }
target: { service: web }
load:
  command: [./load, "${port}"]
  work: { regex: '([0-9]+) requests', as: rate, unit: request }
metrics:
  - { name: p99-latency, json: latency.p99, unit: ms, better: lower }
measure: { window: 2s, runs: 4, cpus: "0", aslr: false }
profile: { kinds: [cpu] }
gates: { p99-latency: { max: 50ms, max-increase: 10% }, cpu-time: +5%, budgets: [{ dso: "[kernel]", max: 60% }] }
YAML
for kind in 'pid: 12' 'pidfile: run/x.pid' 'process: "^nginx: master"' 'port: 6379' 'cgroup: a/b' 'container: web'; do
  mk_scenario "${kind%%:*}" <<<"target: { $kind }"
done
"$PAWL" check
"$PAWL" check --json service | jq -c '.scenarios[] | {name, runs, gates}'
[[ ! -e started ]] || fail 'a service was started'
nothing_measured
