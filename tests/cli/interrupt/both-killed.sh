# SIGKILL to pawl and its keeper at once: the next pawl ends the processes they left.

marker=both-$$-long
mk_scenario a <<YAML
target: { command: [sh, -c, "setsid sh -c 'sleep 300; : $marker' & sleep 300"] }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 300s }
YAML
mk_quick b
"$PAWL" run a >"$out" 2>"$err" &
pawl=$!
disown # no word of bash about its end
sleeping() { [[ $(running "sleep 300; : $marker" | wc -l) -ge 2 ]]; }
eventually sleeping
kill -KILL "$(pgrep -P "$pawl" pawl-keeper)" "$pawl"
expect 0 run b
gone "$marker"
[[ $(find "$TMPDIR" -mindepth 1 | wc -l) -eq 0 ]] || fail "left: $(ls -A "$TMPDIR")"
