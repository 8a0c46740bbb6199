# No profile is taken on request, without kinds, or with simulated counters. A gate on symbols says so.

need valgrind
mk_scenario a <<'YAML'
target: { command: "true" }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 30, duration: 1s }
YAML
quiet() {
  expect 0 run "$@"
  [[ -z $(find pawl-out/latest/ -name '*.data' -o -name '*.folded') ]] || fail "a profile was taken with $*"
}
said() { result '.scenarios[0].gates[] | select(.metric == "symbols").reason' | grep -xF "no profile was taken: $1" >/dev/null; }
quiet --no-profile
! said --no-profile || fail 'it was told although nobody gates symbols'
expect 0 baseline update --no-profile
rm -r baselines
[[ -z $(find pawl-out/latest/ -name '*.data') ]] || fail 'a profile was taken for the baseline'

echo 'gates: { symbols: { rise: 2pp } }' >>scenarios/a.yaml
quiet --no-profile
said --no-profile || fail 'it was not told'
sed -i 's/^profile:.*/profile: { kinds: [] }/' scenarios/a.yaml
expect 2 run
has "$err" 'this gate needs a profile'
sed -i '/^profile:/d; s/runs: 2 }/runs: 2, counters: sim }/' scenarios/a.yaml
quiet
said 'its counters are simulated' || fail 'it was not told'
