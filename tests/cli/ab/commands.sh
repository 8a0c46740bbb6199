# Two commands as typed give one block to read and a status. pawl leaves dollar signs to the shell.

need python3
cat >spin.py <<'PY'
import sys
for i in range(int(sys.argv[1]) * 2500000): pass
PY
expect 1 ab 'n=1; python3 spin.py $n' 'n=3; python3 spin.py ${n}' --out run
has "$out" 'slower than n=1; python3 spin.py $n'
holds '.scenarios[0] | .path == null and .name == "commands"' run/result.json
holds '.scenarios[0].pairing | .gates == 1 and .head.label == "n=3; python3 spin.py ${n}"' run/result.json

# --limit sets the limit, and then the comparison passes.
expect 0 ab 'python3 spin.py 1' 'python3 spin.py 2' --limit 900% --out run
holds '.scenarios[0].gates[0] | .verdict == "pass" and .tolerance_pct == 900' run/result.json

# A command fails on one side.
expect 3 ab 'python3 spin.py 1' 'exit 9' --json
cp "$out" "$CASE_DIR/kept/json"
holds '.scenarios[0] | .state == "failed" and (.failure | startswith("head: ") and contains("status 9"))' "$CASE_DIR/kept/json"
holds '.mode == "paired" and .status == 3' "$CASE_DIR/kept/json"
tidy || fail "left: $(ls -A "$TMPDIR")"
