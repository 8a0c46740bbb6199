# A target of several services is their sum. The first one is idle. Each has its own limits and nice value.

mk_scenario two <<'YAML'
env:
  - { name: quiet, command: [sleep, "3675"] }
  - name: busy
    command: 'ulimit -n; nice; touch "${tmp}/busy"; while :; do :; done'
    limits: { nofile: 77, core: 0 }
    nice: 19
    ready: { file: "${tmp}/busy" }
target: { service: [quiet, busy] }
warmup: { runs: 0 }
load: { command: "ulimit -n; nice; exec sleep 60", limits: { nofile: 66 }, nice: 19 }
measure: { window: 300ms, runs: 1 }
YAML
expect 0 run
holds '.scenarios[0].attached == "services quiet, busy"'
cat pawl-out/latest/two/busy.log pawl-out/latest/two/load.log
