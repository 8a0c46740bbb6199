# Two pawls with different lock folders measure at the same time, and the report says so.

mk_scenario a <<YAML
target: { command: "touch begun; while [ ! -e enough ]; do sleep 0.05; done" }
warmup: { runs: 0 }
measure: { runs: 1 }
gates: { page-faults: +50% }
YAML
mk_quick b
mkdir -m 700 "$CASE_DIR/elsewhere"
XDG_RUNTIME_DIR=$CASE_DIR/elsewhere "$PAWL" run a --out first >first.out 2>&1 &
first=$!
eventually test -e begun
expect 0 run b
touch enough
wait "$first" || fail "the first failed: $(cat first.out)"
# Other cases may measure meanwhile. The single note names each.
has "$out" 'another pawl (' "pid $first" ') was measuring too, under a lock of its own'
[[ $(grep -c 'another pawl (' "$out") -eq 1 ]] || fail "told more than once: $(cat "$out")"
# A pawl that measures for another one is not a competitor.
PAWL_LOCK=inherited expect 0 run b
lacks "$out" 'another pawl ('
