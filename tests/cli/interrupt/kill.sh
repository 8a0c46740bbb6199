# SIGKILL to pawl: its processes end within two seconds, its lock is free, and the next run works.

marker=kill-$$-long
cat >long.sh <<'SH'
trap '' TERM INT HUP
setsid sh -c 'sleep 300; : '"$1" &
sh -c 'sleep 300; : '"$1"
SH
mk_scenario a <<YAML
target: { command: [sh, long.sh, $marker] }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 300s }
YAML
mk_quick b
"$PAWL" run a >"$out" 2>"$err" &
pawl=$!
disown # no word of bash about its end
eventually running "$marker" >/dev/null
kill -KILL "$pawl"
gone "$marker"
lock_is_free
expect 0 run b
