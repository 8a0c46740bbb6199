# SIGKILL to the keeper: the target dies with it, and pawl fails with a message instead of hanging.

marker=keeper-$$-long
mk_scenario a <<YAML
target: { command: [sh, -c, "sleep 300; : $marker"] }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 300s }
YAML
"$PAWL" run >"$out" 2>"$err" &
pawl=$!
eventually running "$marker" >/dev/null
kill -KILL "$(pgrep -P "$pawl" pawl-keeper)"
awaited 3 "$pawl"
gone "$marker"
cat "$out" "$err" >"$CASE_DIR/kept/both"
has "$CASE_DIR/kept/both" 'the keeper process is gone'
lock_is_free
