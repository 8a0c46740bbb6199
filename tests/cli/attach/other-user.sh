# The process belongs to another user, and perf's refusal is quoted.

need_root
need setpriv
[[ $(cat /proc/sys/kernel/perf_event_paranoid) -le 2 ]] || skip 'kernel.perf_event_paranoid is above 2'
sleep 60 & pid=$!
trap 'kill $pid' EXIT
mk_scenario theirs <<YAML
target: { pid: $pid }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 1 }
YAML
be_ordinary
expect 3 run
has "$out" "is another user's (uid 0)" 'or as root'
