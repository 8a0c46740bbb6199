# The keeper is killed. pawl reports it and ends the services, including daemons that dropped their environment.

be_ordinary
server_scenario web '--daemon --forget --stubborn' 60s rate <<<'measure: { window: 50s }'
"$PAWL" run >"$out" 2>"$err" & pawl=$!
eventually running "$PWD/client.py" >/dev/null
kill -KILL "$(pgrep -P $pawl pawl-keeper)"
status=0
wait $pawl || status=$?
[[ $status -eq 3 ]] || fail "status $status"
has "$out" 'the keeper process is gone'
gone "$PWD/client.py"
gone "$PWD/server.py"
tidy || fail "left: $(ls "$TMPDIR")"
