# The members of a cgroup, those of a folder below it among them.
. "$LIB"

need_root
base=/sys/fs/cgroup/unified
[[ -d $base ]] || base=/sys/fs/cgroup
group=$base/case-$$
mkdir -p "$group/below" 2>/dev/null || skip 'no cgroup can be made here'
burn() { sh -c "echo \$\$ >$group/$1/cgroup.procs && exec timeout 60 sh -c 'while :; do :; done'" & }
trap 'kill $(cat $group/cgroup.procs $group/below/cgroup.procs); wait; rmdir $group/below $group' EXIT
burn .
burn below
eventually grep -q . "$group/below/cgroup.procs"
for path in "$group" "case-$$" "/case-$$"; do
  mk_scenario group <<YAML
target: { cgroup: "$path" }
warmup: { runs: 0 }
measure: { runs: 1, window: 400ms }
YAML
  expect 0 run
  holds '.scenarios[0].runs[0] | ."task-clock" > 1.2 * ."wall-time" or ."involuntary-switches" > 5'
done
