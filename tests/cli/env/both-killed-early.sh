# pawl and its keeper are killed before a service is ready, without a cgroup.

be_ordinary
mk_server
mk_scenario early <<YAML
env:
  - name: web
    command: [python3, "$PWD/server.py", "\${port}", --daemon, --forget, --stubborn, --pidfile, "$PWD/kept.pid"]
    ready: { log: never, timeout: 60s }
target: { service: web }
YAML
"$PAWL" run >"$out" 2>"$err" & pawl=$!
disown # no word of bash about its end
eventually test -s kept.pid
sleep 0.6 # it is looked at several times a second
kill -STOP $pawl
kill -KILL "$(pgrep -P $pawl pawl-keeper)" $pawl
running "$PWD/server.py" >/dev/null || fail 'nothing was left that could be ended'
mk_quick quick
expect 0 run quick
gone "$PWD/server.py"
tidy || fail "left: $(ls "$TMPDIR")"
