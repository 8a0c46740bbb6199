# The keeper is killed while a service is measured. pawl reports it and ends the services, including daemons that dropped their
# environment, with a cgroup or without. SIGKILL to pawl ends them too, however they hide.

server_scenario web '--daemon --forget --stubborn' 60s rate <<<'measure: { window: 50s }'
keeper_killed() {
  local pawl
  "$PAWL" run >"$out" 2>"$err" & pawl=$!
  eventually running "$PWD/client.py" >/dev/null
  kill -KILL "$(pgrep -P "$pawl" pawl-keeper)"
  awaited 3 "$pawl"
  has "$out" 'the keeper process is gone'
  gone "$PWD/client.py"
  gone "$PWD/server.py"
  lock_is_free
  tidy || fail "left: $(ls "$TMPDIR")"
}
keeper_killed

"$PAWL" run >"$out" 2>"$err" & pawl=$!
disown # no word of bash about its end
eventually running "$PWD/client.py" >/dev/null
kill -KILL $pawl
gone "$PWD/client.py"
gone "$PWD/server.py"
eventually tidy
mk_quick b
expect 0 run b
rm scenarios/b.yaml

be_ordinary
keeper_killed
