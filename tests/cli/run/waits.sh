# A program that sleeps a second more passes every gate on CPU time. Every report says so.

mk_scenario a 'target: { command: sh work.sh }' 'measure: { runs: 5 }' 'gates: { page-faults: +50% }'
echo 'exec sleep 0.05' >work.sh
expect 0 baseline update
echo 'exec sleep 1.05' >work.sh
GITHUB_ACTIONS=true expect 0 run
tr -s ' \n' ' ' <"$out" | grep 'note a: wall-time rose from .* to 1.* s, more than CPU time explains' >/dev/null || fail "not told: $(cat "$out")"
has "$err" '::warning' 'WAITS%3A a::wall-time rose from'
grep -q 'wall-time rose from' pawl-out/latest/report.md || fail 'not in the markdown report'
grep -q 'wall-time rose from' pawl-out/latest/report.html || fail 'not in the html report'
grep -q 'wall-time rose from' pawl-out/latest/junit.xml || fail 'not in the junit report'
holds '.scenarios[0].waits | startswith("wall-time rose from")'

# A gate on wall time replaces the note.
sed -i 's/^gates.*/gates: { wall-time: +200% }/' scenarios/a.yaml
"$PAWL" run >"$out" 2>"$err" || true
holds '.scenarios[0] | .waits == null and (.gates[] | select(.metric == "wall-time") | .change_pct > 200)'
# On a busy machine the gate may be inconclusive, and then has no cause.
holds '.scenarios[0] | .gates[0].verdict == "regression" or (.explanation | length) == 0'
