# Gates on symbols end to end: the same program passes, and a slower one fails with the name of its function.
# Each verdict has its reason.

mk_burner
mk_scenario a <<'YAML'
target: { command: [./burner, "150"] }
warmup: { runs: 0 }
measure: { runs: 5 }
profile: { frequency: 4999, samples: 4500, duration: 20s }
gates:
  task-clock: +40%
  symbols: { top: 5, rise: 4pp }
  budgets:
    - { symbol: "war*", max: 25% }
    - { dso: burner, max: 100% }
YAML
gate() { result ".scenarios[0].gates[] | select(.metric | startswith(\"$1\")).verdict"; }
is() { [[ $(gate "$1") == "$2" ]] || fail "$1 is $(gate "$1"), not $2: $(cat "$out")"; }

expect 0 run
profiled a
is symbols new
is 'symbol war' pass
expect 0 baseline update
# On a busy host the kernel may take a third of a profile, which makes the gate inconclusive.
for _ in 1 2 3; do
  expect 0 run
  [[ $(gate symbols) != pass ]] || break
done
is symbols pass
is 'symbol war' pass
is 'dso burner' pass

# A baseline of another frequency is compared as well.
sed -i 's/frequency: 4999/frequency: 2999/' scenarios/a.yaml
for _ in 1 2 3; do
  expect 0 run
  [[ $(gate symbols) != pass ]] || break
done
is symbols pass
holds '.scenarios[0].profile.frequency == 2999'
sed -i 's/frequency: 2999/frequency: 4999/' scenarios/a.yaml

# warm() does five times the work.
sed -i 's/warm(1000)/warm(5000)/' burner.c
cc -O2 -g -fno-omit-frame-pointer -o burner burner.c -lpthread
expect 1 run -v
is symbols regression
is 'symbol war' regression
has "$out" 'warm rose from'
# Only decided gates are explained. The symbol itself shows its cost.
holds '.scenarios[0].symbols[] | select(.symbol == "warm").reason | test("and costs [0-9.]+ ms more per run")'
holds '.scenarios[0].symbols[] | select(.symbol == "warm") | .change_pp > 15 and .cost_ms > .base_cost_ms * 3 and .verdict == "regression"'
! result '.scenarios[0].symbols[] | select(.verdict == "regression").symbol' | grep hot >/dev/null || fail 'hot() regressed'
expect 1 compare -v "$(dirname "$(ls -d pawl-out/2*/result.json | head -n 2 | tail -n 1)")" pawl-out/latest
has "$out" 'warm rose from'

# Too few samples do not pass, and the reason says how many are needed.
sed -i -e 's/samples: 4500/samples: 600/' -e 's/"150"/"60"/' scenarios/a.yaml
"$PAWL" run >"$out" 2>"$err" || true
is symbols inconclusive
has "$out" 'samples'

# If the first tick of a frequency can shift shares beyond the limit, symbols are not compared.
sed -i 's/frequency: 4999/frequency: 99/' scenarios/a.yaml
"$PAWL" run >"$out" 2>"$err" || true
is symbols not-measured
has "$out" 'frequency'
