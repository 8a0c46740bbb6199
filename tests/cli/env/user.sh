# A service runs with its own user, folder, environment and CPU.

need_root
mk_scenario who <<'YAML'
vars: { mark: here }
env:
  - name: who
    command: "id -un >${tmp}/who; pwd >>${tmp}/who; echo $GREETING >>${tmp}/who; grep Cpus_allowed_list /proc/self/status >>${tmp}/who; cat ${tmp}/who; while :; do :; done"
    user: nobody
    cwd: /usr
    environment: { GREETING: "good morning ${mark}" }
    ready: { command: "grep -q Cpus ${tmp}/who" }
target: { service: who }
warmup: { runs: 0 }
measure: { window: 200ms, runs: 1, cpus: "1", aslr: false }
YAML
expect 0 run
cat pawl-out/latest/who/who.log
