# A second pawl waits for the first. It names the first when its wait times out, and measures once the lock is free. With
# another lock folder it measures at the same time, and the report says so.

marker=lock-$$-held
mk_scenario a <<YAML
target: { command: "touch begun; while [ ! -e enough ]; do sleep 0.05; done; : $marker" }
warmup: { runs: 0 }
measure: { runs: 1 }
gates: { page-faults: +50% }
YAML
mk_quick b
"$PAWL" run a --out first >/dev/null 2>&1 &
first=$!
eventually test -e begun
expect 3 run b --lock-wait 1s
has "$err" "another pawl (pid $first) is measuring on this machine" 'after 1 s' --lock-wait
nothing_measured
expect 0 check
mkdir -m 700 "$CASE_DIR/elsewhere"
XDG_RUNTIME_DIR=$CASE_DIR/elsewhere expect 0 run b
# Other cases may measure meanwhile. The single note names each.
has "$out" 'another pawl (' "pid $first" ') was measuring too, under a lock of its own'
[[ $(grep -c 'another pawl (' "$out") -eq 1 ]] || fail "told more than once: $(cat "$out")"
"$PAWL" run b >"$out" 2>"$err" &
second=$!
sleep 0.3
kill -0 "$second" || fail 'the second did not wait'
touch enough
awaited 0 "$first"
awaited 0 "$second"
holds '.scenarios[0].name == "b" and .scenarios[0].state == "measured"'
# A pawl that measures for another one is not a competitor.
PAWL_LOCK=inherited expect 0 run b
lacks "$out" 'another pawl ('
