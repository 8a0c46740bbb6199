# The report's accept command accepts that run when typed as printed. It does not measure again.

mkdir perf
mk_quick a
mv scenarios/a.yaml perf/a.yaml
mkdir "$CASE_DIR/kept/bin"
ln -s "$PAWL" "$CASE_DIR/kept/bin/pawl"
PATH=$CASE_DIR/kept/bin:$PATH
hint() { sed -n 's/^ *accept *//p; s/.* Save it: //p' "$out"; }
typed() {
  hint >"$CASE_DIR/kept/line"
  (cd "${1:-.}" && bash "$CASE_DIR/kept/line") >"$CASE_DIR/kept/typed" 2>&1 || fail "$(hint): $(cat "$CASE_DIR/kept/typed")"
}

dir="the run's \$(touch victim) folder"
expect 0 run perf/a.yaml --out "$dir"
typed
[[ ! -e victim ]] || fail 'the shell obeyed the name of a folder'
[[ $(result '.sessions[].measurement' baselines/a/*.json) == $(result '.scenarios[].measurement' "$dir/result.json") ]] ||
  fail 'another measurement was accepted'

# If a baseline is replaced, the command has a placeholder for the reason, which is not accepted as one.
jq '.scenarios[0].runs[]["page-faults"] = 100000 | .scenarios[0].measurement = "00000000000000000000000000000000"' \
  "$dir/result.json" >x
mv x "$dir/result.json"
expect 0 compare "$dir/result.json" "$dir/result.json"
expect 2 baseline update --from "$dir" a
has "$err" '--reason'

# A run that cannot be accepted as it is must be measured again.
jq '.partial = true' "$dir/result.json" >x
mv x "$dir/result.json"
expect 0 report "$dir"
[[ $(hint) == 'pawl baseline update perf/a.yaml' ]] || fail "partial: $(hint)"
