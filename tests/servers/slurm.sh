# The array of docs/how-to/many-machines.md under Slurm, as the page prints it: slurmctld and two nodes, private to this
# case. All is well, a shard is killed, ended in time, measured alone, and measured of another commit; then 500 scenarios.
# shellcheck shell=bash disable=SC2154,SC2016
. "$SERVERS/lib.sh"
need slurmctld
need slurmd
need sbatch
need python3
page=$SERVERS/../../docs/how-to/many-machines.md
cluster=$CASE_DIR/cluster
export SLURM_CONF=$cluster/slurm.conf
mkdir -p "$cluster/state" "$CASE_DIR/bin"
ln -s "$PAWL" "$CASE_DIR/bin/pawl"
PATH=$CASE_DIR/bin:$PATH
remember

# -------- a cluster

free_ports() {
  python3 -c 'import socket
bound = [socket.create_server(("127.0.0.1", 0)) for i in range(3)]
print(*(s.getsockname()[1] for s in bound))'
}

# slurm.conf for HOST, the port of the controller and those of two nodes. Cgroups, accounting and munge are left out.
configure() {
  cat <<CONF
ClusterName=pawl
SlurmctldHost=$1(127.0.0.1)
SlurmctldPort=$2
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
SchedulerParameters=batch_sched_delay=0
SlurmdParameters=config_overrides
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
NodeName=node1 NodeHostname=$1 NodeAddr=127.0.0.1 Port=$3
NodeName=node2 NodeHostname=$1 NodeAddr=127.0.0.1 Port=$4
PartitionName=all Nodes=node[1-2] Default=YES MaxTime=INFINITE State=UP
CONF
  # slurmd looks for its cgroup even if no plugin uses any; version 1 is the one that it need not find.
  echo 'CgroupPlugin=cgroup/v1' >"$cluster/cgroup.conf"
}

nodes_idle() { [[ $(sinfo --noheader --format %D%t) == 2idle ]]; }

start_cluster() {
  # shellcheck disable=SC2046
  configure "$(hostname -s)" $(free_ports) >"$SLURM_CONF"
  slurmctld -D -f "$SLURM_CONF" >"$cluster/slurmctld.out" 2>&1 &
  daemons=($!)
  for node in node1 node2; do
    mkdir "$cluster/$node"
    slurmd -D -f "$SLURM_CONF" -N $node >"$cluster/$node.out" 2>&1 &
    daemons+=($!)
  done
  soon nodes_idle || { tail -n 20 "$cluster"/*.log "$cluster"/*.out >&2; skip "Slurm does not start here"; }
}

stop_cluster() {
  kill "${daemons[@]}" 2>/dev/null || true
  wait "${daemons[@]}" || true
}

# -------- jobs

# submit OPTION...: prints the number of the array's job.
submit() { sbatch --parsable "$@" "$CASE_DIR/array.sh"; }

over() { [[ -z $(squeue --noheader --jobs "$1" 2>/dev/null) ]]; }

# report JOB STATUS TEXT...: the page's report, a job of its own after JOB, ends with STATUS and prints each TEXT.
report() {
  local command job status
  command=$(sed -n "s/^Then \`\\(sbatch --dependency=.*\\)\`\\. .*/\\1/p" "$page")
  job=$(eval "${command/JOB/$1} --parsable --output=merged.txt")
  # However long the scenarios before it take here.
  until over "$job"; do sleep 0.2; done
  status=$(scontrol --oneliner show job "$job" | grep -o 'ExitCode=[0-9]*')
  [[ $status == "ExitCode=$2" ]] || { cat merged.txt >&2; fail "the report ended with $status, expected $2"; }
  has merged.txt "${@:3}"
}

# scenarios NAME...: quick ones. While a file `hang` exists, the setup of `e` waits.
scenarios() {
  local name
  rm -rf scenarios
  mkdir scenarios
  for name in "$@"; do
    printf '%s\n' 'version: 1' 'target: { command: "true" }' 'warmup: { runs: 0 }' 'measure: { runs: 1 }' \
      'profile: { kinds: [] }' 'gates: { max-rss: { max: 1GiB } }' >"scenarios/$name.yaml"
  done
  [[ ! -e scenarios/e.yaml ]] || echo 'setup: touch reached; while [ -e hang ]; do sleep 0.05; done' >>scenarios/e.yaml
}

# hang: measures shard 5 again, up to the middle of it. Sets job.
hang() {
  rm -f reached
  touch hang
  job=$(submit --array=5)
  eventually test -e reached
}

trap stop_cluster EXIT
start_cluster
sed -n '/^```sh slurm$/,/^```$/{ /^```/d; p }' "$page" >"$CASE_DIR/array.sh"
printf '%s\n' /pawl-out /shards /hang /reached '*.log' '*.txt' >.gitignore
scenarios a b c d e f g h
git init -q .
commit_all 'the beginning'

job=$(submit)
report "$job" 0 '8 scenarios, 8 gates within their limits'
ok 'the shards of an array merge'

hang
# shellcheck disable=SC2046
kill -KILL $(running shards/5)
report "$job" 3 'FAILED e' 'shard 5/8 (' 'no result in shards/5'
ok 'a shard that was killed is named'

# Slurm signals all processes at once, so pawl sees either its own end or that of the setup first.
hang
scancel "$job"
report "$job" 3
grep -Eq '^(PARTIAL|FAILED) e$' merged.txt || { cat merged.txt >&2; fail 'e is not named'; }
ok 'a shard that Slurm ended is named'

rm hang
job=$(submit --array=5)
report "$job" 0 '8 scenarios, 8 gates within their limits'
ok 'a shard is measured again alone'

git commit -q --allow-empty -m 'another commit'
job=$(submit --array=5)
report "$job" 3 'these results are of 2 commits' "$(git rev-parse --short=12 HEAD) (shards/5)"
ok 'a shard of another commit is refused'

rm -r shards
mapfile -t names < <(seq --format 's%03g' 500)
scenarios "${names[@]}"
job=$(submit)
report "$job" 0 '500 scenarios, 500 gates within their limits'
ok '500 scenarios in eight shards'

stop_cluster
trap - EXIT
nothing_left
