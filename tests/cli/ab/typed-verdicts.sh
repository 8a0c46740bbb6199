# Typed commands are each compared with the first. The output has verdict and numbers, without perf or a report.
. "$LIB"

need python3
cat >spin.py <<'PY'
import sys
for i in range(int(sys.argv[1]) * 1000000): pass
PY
PAWL_PERF=/nowhere expect 1 ab 'python3 spin.py 1' 'n=4; python3 spin.py $n' 'python3 spin.py 2 # more' --tolerance 40%
grep -Eq '^against +[0-9.]+ ms +python3 spin.py 1$' "$out" || fail "$(cat "$out")"
grep -Eq '^SLOWER +[0-9.]+ (ms|s) +\+[0-9,.]+ % \(at least \+[0-9,.]+ %, limit [0-9.]+ %\) +n=4; python3 spin.py \$n$' "$out" || fail "$(cat "$out")"
has "$out" cpu-time '--explain looks for the cause'
tr -s '\n ' ' ' <"$out" >"$CASE_DIR/kept/flat"
has "$CASE_DIR/kept/flat" 'rerun pawl ab --seed' "'python3 spin.py 1' 'n=4; python3 spin.py \$n' 'python3 spin.py 2 # more'"
lacks "$out" 'REGRESSION' 'profile'
[[ ! -s $err ]] || fail "said: $(cat "$err")"
holds '[.scenarios[].name] == ["commands-1", "commands-2"] and ([.scenarios[].gates[].metric] | unique) == ["cpu-time"]'
holds '.scenarios[0].gates[0] | .verdict == "regression" and .tolerance_pct == 40'
holds '[.scenarios[].pairing.gates] == [2, 2]'
holds '[.scenarios[].runs[][]] | length > 0'

# Of several commands, each line below the table names its own.
has "$out" '  pairs    n=4; python3 spin.py $n: ' '  pairs    python3 spin.py 2 # more: '

# Waiting shows only in wall time, which is judged on request. A note says so.
expect 0 ab 'sleep 0.01' 'sleep 0.06' -r 10 --tolerance 40%
has "$out" 'note     sleep 0.06 took' '--metric'
expect 1 ab 'sleep 0.01' 'sleep 0.06' --metric wall-time -n short -n long
grep -Eq '^SLOWER .* long$' "$out" || fail "$(cat "$out")"
grep -Eq '^against .* short$' "$out" || fail "$(cat "$out")"
has "$out" wall-time 'one after the other'
holds '.scenarios[0].gates[0] | .metric == "wall-time" and .tolerance_pct == 5'

# A command that fails gets a report.
expect 3 ab true 'echo oh no; exit 9'
has "$out" 'head: ' 'status 9' 'oh no'
tidy || fail "left: $(ls -A "$TMPDIR")"
