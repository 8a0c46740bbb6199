# pawl and its keeper are both killed. The next start ends the processes they left, and no others.

server_scenario web '--daemon --forget --stubborn' 60s rate <<<'measure: { window: 50s }'
"$PAWL" run >"$out" 2>"$err" & pawl=$!
disown # no word of bash about its end
eventually running "$PWD/client.py" >/dev/null
keeper=$(pgrep -P $pawl pawl-keeper)
python3 "$PWD/server.py" 0 --say innocent >/dev/null & innocent=$!
trap 'kill $innocent' EXIT
kill -STOP $pawl
kill -KILL "$keeper" $pawl
both_run() { [[ $(running "$PWD/server.py" | wc -l) -ge 2 ]]; }
eventually both_run
mk_quick quick
expect 0 run quick
[[ $(running "$PWD/server.py") == "$innocent" ]] || fail "left: $(running "$PWD/server.py"), innocent: $innocent"
