# With a baseline a profile ends once it decides. Without one it is complete.

mk_burner
mk_scenario a <<'YAML'
target: { command: [./burner, "150"] }
warmup: { runs: 0 }
measure: { runs: 3 }
profile: { samples: 18000, duration: 60s }
gates: { symbols: { top: 5, rise: 4pp } }
YAML
samples() { result '.scenarios[0].profile.samples'; }

expect 0 baseline update
jq -e '.profile.frequency == 4999 and .profile.samples > 15000' baselines/a/*.json >/dev/null ||
  fail "the baseline has $(jq -c '[.profile.frequency, .profile.samples]' baselines/a/*.json)"

# A pass, then a clear regression. Other load may leave a run inconclusive.
for _ in 1 2 3; do
  expect 0 run
  [[ $(samples) -ge 15000 ]] || break
done
[[ $(samples) -ge 8000 && $(samples) -lt 15000 ]] || fail "$(samples) samples of an unchanged program"
[[ $(result '.scenarios[0].profile.runs | length') -le 4 ]] || fail "$(result '.scenarios[0].profile.runs') runs"
holds '.scenarios[0].gates[] | select(.metric == "symbols").verdict == "pass"'

sed -i 's/warm(1000)/warm(5000)/' burner.c
cc -O2 -g -fno-omit-frame-pointer -o burner burner.c -lpthread
expect 1 run
[[ $(samples) -ge 8000 && $(samples) -lt 15000 ]] || fail "$(samples) samples of a slower one"

# Without a baseline the profile does not end early.
rm -r baselines
expect 0 run
[[ $(samples) -gt 15000 ]] || fail "$(samples) samples without a baseline"
