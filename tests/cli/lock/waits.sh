# A second pawl waits for the first. It names the first when its wait times out, and measures once the lock is free.

marker=lock-$$-held
mk_scenario a <<YAML
target: { command: "touch begun; while [ ! -e enough ]; do sleep 0.05; done; : $marker" }
warmup: { runs: 0 }
measure: { runs: 1 }
gates: { page-faults: +50% }
YAML
mk_quick b
"$PAWL" run a >/dev/null 2>&1 &
first=$!
eventually test -e begun
expect 3 run b --lock-wait 1s
has "$err" "another pawl (pid $first) is measuring on this machine" 'after 1 s' --lock-wait
[[ ! -e pawl-out/latest/b ]] || fail 'b was measured all the same'
expect 0 check
expect 0 check
"$PAWL" run b >"$out" 2>"$err" &
second=$!
sleep 0.3
kill -0 "$second" || fail 'the second did not wait'
touch enough
wait "$first" || fail 'the first failed'
wait "$second" || fail 'the second failed'
holds '.scenarios[0].name == "b" and .scenarios[0].state == "measured"'
