# A service that moves to another cgroup is still found and ended. Groups below its own are removed.

need_root
base=/sys/fs/cgroup/unified
[[ -d $base ]] || base=/sys/fs/cgroup
away=$base/away-$$
mkdir "$away" 2>/dev/null || skip 'no cgroup can be made here'
trap 'rmdir "$away"' EXIT
mk_server
mk_scenario moves <<YAML
env:
  - name: away
    command: "echo \$\$ >$away/cgroup.procs; exec python3 $PWD/server.py \${port}"
    ready: { tcp: "127.0.0.1:\${port}" }
  - name: daemon
    command: "echo \$\$ >$away/cgroup.procs; exec python3 $PWD/server.py \${port.daemon} --daemon"
    ready: { tcp: "127.0.0.1:\${port.daemon}" }
  - name: below
    command: |
      own=$base\$(sed -n s/^0:://p /proc/self/cgroup)
      mkdir -p \$own/below/deeper && echo \$own >own && echo \$\$ >\$own/below/deeper/cgroup.procs
      exec python3 $PWD/server.py \${port.below} --stubborn
    ready: { tcp: "127.0.0.1:\${port.below}" }
    stop: { grace: 200ms }
target: { service: away }
warmup: { runs: 0 }
load: { command: [python3, "$PWD/client.py", "\${port}", "60"], work: { regex: 'did ([0-9]+)', as: count } }
measure: { runs: 1 }
YAML
expect 0 run
holds '.scenarios[0].runs[0] | .work == 60 and ."task-clock" > 55'
gone "$PWD/server.py"
[[ ! -e $(cat own) ]] || fail "left: $(find "$(cat own)" -type d)"
