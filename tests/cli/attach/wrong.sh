# A target that cannot be attached to is refused, with what pawl found.

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
# The report folds lines. The list follows the advice.
result '.scenarios[0].failure' >failure
head -n 1 failure >first
has first "'^sleep 3676\$' matches 2 processes that are not one tree; make the expression more exact, or use pidfile: PATH"
[[ $(wc -l <failure) -eq 3 && $(head -n 1 failure) == *PATH ]] || fail "$(cat failure)"

# A process that is gone cannot be asked for its port.
server_scenario web '' 1s rate <<<'measure: { window: 100ms }'
expect 3 run --attach 4194300 web
has "$out" 'there is no process 4194300' 'rerun    pawl run web --attach 4194300'
# The target printed nothing, so no log is named.
holds '.scenarios[0].log_path == null'
