# A second SIGINT during cleanup neither cuts it short nor leaves anything behind.

marker=twice-$$-long
mk_scenario a <<YAML
target: { command: "sh -c 'sleep 300; : $marker'" }
warmup: { runs: 0 }
measure: { timeout: 300s }
cleanup: touch cleaning; sleep 0.5; touch cleaned
YAML
env --default-signal=INT "$PAWL" run >"$out" 2>"$err" &
pawl=$!
eventually running "$marker" >/dev/null
kill -INT "$pawl"
eventually test -e cleaning
kill -INT "$pawl"
awaited 130 "$pawl"
[[ -e cleaned ]] || fail "cleanup was cut short: $(ls)"
gone "$marker"
