# What cannot be attached to is told, with what was found.
. "$LIB"

attach() {
  mk_scenario wrong <<YAML
target: { $1 }
measure: { window: 100ms }
YAML
  expect 3 run
  shift
  has "$out" "$@"
}
attach 'pid: 4194300' 'target.pid' '4194300'
attach 'pidfile: not-there.pid' 'not-there.pid'
echo soup >soup.pid
attach 'pidfile: soup.pid' 'soup'
attach "process: 'no-such-program-[0-9]+'" 'no-such-program'
attach 'port: 9' 'port 9'
attach 'cgroup: /no/such/cgroup' '/no/such/cgroup'
attach "pid: $$" 'started pawl: measuring it would measure pawl as well'
sleep 3676 & a=$!
sleep 3676 & b=$!
trap 'kill $a $b' EXIT
attach "process: '^sleep 3676\$'" "$a" "$b" 'sleep 3676'
