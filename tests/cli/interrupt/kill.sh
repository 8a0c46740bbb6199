# SIGKILL to pawl: its processes end within two seconds, its lock is free, and the next run works. SIGKILL to pawl and its
# keeper at once: the next pawl ends the processes they left.

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
sleeping() { [[ $(running "sleep 300; : $marker" | wc -l) -ge 2 ]]; }
start() {
  "$PAWL" run a >"$out" 2>"$err" &
  pawl=$!
  disown # no word of bash about its end
  eventually sleeping
}
start
kill -KILL "$pawl"
gone "$marker"
lock_is_free
expect 0 run b

start
kill -KILL "$(pgrep -P "$pawl" pawl-keeper)" "$pawl"
expect 0 run b
gone "$marker"
[[ $(find "$TMPDIR" -mindepth 1 | wc -l) -eq 0 ]] || fail "left: $(ls -A "$TMPDIR")"
