# A baseline of another valgrind or C library does not compare: the base is simulated here, or the gate is not measured. An
# update of the runner's image turns nothing red. A regression of a count is confirmed in the same way.

mk_counted <<'YAML'
target: { command: [./work] }
measure: { runs: 2, budget: 60s }
gates: { instructions: +1% }
YAML
expect 0 baseline update a --force
commit_all accepted
baseline=$(echo baselines/a/*.json)
jq -r '.sessions[0].simulator' "$baseline" | grep -Eq '^valgrind-[0-9.]+ \(no chase, D1 [0-9,]+\), glibc [0-9.]+ \(build-id:[0-9a-f]{16}\)$' ||
  fail "simulator: $(jq -r '.sessions[0].simulator' "$baseline")"
expect 0 run a --strict
holds '.scenarios[0].gates[0] | .verdict == "pass" and .stored == null'

# A regression against the baseline is measured again, in one pair.
echo 240000 >rounds
cc -O1 -DROUNDS=240000 -o work work.c
expect 1 run a --no-explain
holds '.scenarios[0].gates[0] | .verdict == "regression" and .stored.verdict == "regression"'
holds '.scenarios[0].pairs | length == 1'
expect 1 run a --no-confirm
holds '.scenarios[0].gates[0] | .verdict == "regression" and .stored == null'

# The image changed. An unchanged program passes, and a slower one is red.
sed -i 's/"simulator": "valgrind-[0-9.]*/"simulator": "valgrind-3.1.0/' "$baseline"
expect 1 run a --no-explain
holds '.scenarios[0].gates[0] | .verdict == "regression" and .stored.verdict == "not-measured"'
git checkout -q rounds
cc -O1 -DROUNDS=200000 -o work work.c
expect 0 run a --strict
holds '.scenarios[0].gates[0] | .verdict == "pass" and .stored.verdict == "not-measured"'
# If it is unknown how the base is built, the gate is not measured, and says why.
rm pawl.yaml
expect 0 run a
holds '.scenarios[0].gates[0] | .verdict == "not-measured" and (.reason | test("another valgrind or C library .valgrind-3.1.0"))'
