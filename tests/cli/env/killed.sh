# SIGKILL to pawl ends its services, however they hide.

server_scenario web '--daemon --forget --stubborn' 60s rate <<<'measure: { window: 50s }'
"$PAWL" run >"$out" 2>"$err" & pawl=$!
disown # no word of bash about its end
eventually running "$PWD/client.py" >/dev/null
kill -KILL $pawl
gone "$PWD/client.py"
gone "$PWD/server.py"
eventually tidy
mk_quick b
expect 0 run b
