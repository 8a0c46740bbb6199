# Members of a cgroup are measured, including those of a folder below it.

need_root
base=/sys/fs/cgroup/unified
[[ -d $base ]] || base=/sys/fs/cgroup
group=$base/case-$$
mkdir -p "$group/below" 2>/dev/null || skip 'no cgroup can be made here'
burn() { sh -c "echo \$\$ >$group/$1/cgroup.procs && exec timeout 60 sh -c 'while :; do :; done'" & }
trap 'kill $(cat $group/cgroup.procs $group/below/cgroup.procs); wait; rmdir $group/below $group' EXIT
burn .
burn .
burn .
burn below
eventually grep -q . "$group/below/cgroup.procs"
measure() {
  mk_scenario group <<YAML
target: { cgroup: "$1" }
warmup: { runs: 0 }
measure: { runs: 3, window: 400ms }
YAML
  expect 0 run
}
# However busy the machine is, several processes get more CPU time than one.
measure "$group/below"
one=$(result '[.scenarios[0].runs[]."task-clock"] | add')
for path in "$group" "case-$$" "/case-$$"; do
  measure "$path"
  holds "[.scenarios[0].runs[].\"task-clock\"] | add > 1.3 * $one"
done
