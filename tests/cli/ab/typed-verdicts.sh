# Typed commands are each compared with the first: both times of each, one answer each, no perf, no files. pawl leaves
# dollar signs to the shell.

need python3
cat >spin.py <<'PY'
import sys
for i in range(int(sys.argv[1]) * 1000000): pass
PY
expect 1 ab 'python3 spin.py 1' 'n=4; python3 spin.py $n' 'n=2; python3 spin.py ${n} # more' --limit 40% --out run
grep -Eq '^CPU time +wall time +command$' "$out" || fail "$(cat "$out")"
grep -Eq '^ *[0-9.]+ ms +[0-9.]+ (ms|s)   python3 spin.py 1$' "$out" || fail "$(cat "$out")"
tr -s '\n ' ' ' <"$out" >"$CASE_DIR/kept/flat"
grep -Eq 'n=4; python3 spin.py \$n is [0-9,.]+ % slower than python3 spin.py 1 \(at least [0-9,.]+ %, limit 40 %\)' "$CASE_DIR/kept/flat" ||
  fail "$(cat "$out")"
has "$CASE_DIR/kept/flat" 'judged by CPU time' '--explain looks for the cause'
holds '[.scenarios[].name] == ["commands-1", "commands-2"] and ([.scenarios[].gates[].metric] | unique) == ["cpu-time"]' run/result.json
holds '.scenarios[0].gates[0] | .verdict == "regression" and .tolerance_pct == 40' run/result.json
holds '[.scenarios[].pairing | .gates, .head.label] == [2, "n=4; python3 spin.py $n", 2, "n=2; python3 spin.py ${n} # more"]' run/result.json
holds '[.scenarios[].runs[][]] | length > 0' run/result.json
# Lines below the table name the command.
has "$out" '  pairs    n=4; python3 spin.py $n: ' '  pairs    n=2; python3 spin.py ${n} # more: '
expect 1 report -v run
has "$out" 'rerun' "'python3 spin.py 1' 'n=4; python3 spin.py \$n' 'n=2; python3 spin.py \${n} # more'"

# Commands that wait are judged by wall time, one after the other.
PAWL_PERF=/nowhere expect 1 ab 'sleep 0.05' 'sleep 0.1' -n short -n long
lacks "$out" 'REGRESSION' 'profile' 'rerun' 'report'
[[ ! -s $err ]] || fail "said: $(cat "$err")"
nothing_measured
grep -Eq '^long is [0-9,.]+ % slower than short \(at least ' "$out" || fail "$(cat "$out")"
has "$out" 'judged by wall time; one after the other'
expect 0 ab 'sleep 0.1' 'sleep 0.05' -n long -n short
grep -Eq '^short is [0-9,.]+ % faster than long \(at least ' "$out" || fail "$(cat "$out")"

# If CPU time is asked for, a warning says how much longer the wall time became.
expect 0 ab --metric cpu-time 'sleep 0.01' 'sleep 0.06' --limit 100%
has "$out" 'sleep 0.06 took' '--metric wall-time'

# A metric as asked for.
expect 1 ab --metric max-rss true 'python3 -c "b = bytearray(50000000)"'
grep -Eq '^ *max-rss +CPU time +wall time +command$' "$out" || fail "$(cat "$out")"
has "$out" 'more max-rss than true'

# The same command twice.
expect 0 ab 'python3 spin.py 1' 'python3 spin.py 1' --limit 40% --out same
grep -Eq '^no difference: (at most|faster by about) [0-9.]+ % \(limit 40 %\)$' "$out" || fail "$(cat "$out")"

holds '.scenarios[0] | .path == null and .name == "commands" and .pairing.gates == 1' same/result.json
holds '.scenarios[0].gates[0] | .verdict == "pass" and .tolerance_pct == 40' same/result.json

# A command that fails gets a report, unless any status is fine.
expect 3 ab true 'echo oh no; exit 9'
has "$out" 'head: ' 'status 9' 'oh no'
expect 3 ab true 'exit 9' --json
holds '.mode == "paired" and .status == 3 and .scenarios[0].state == "failed"' "$out"
holds '.scenarios[0].failure | startswith("head: ") and contains("status 9")' "$out"
expect 0 ab -i 'exit 3' 'exit 9' --limit 900%
nothing_measured
tidy || fail "left: $(ls -A "$TMPDIR")"
