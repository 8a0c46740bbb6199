# The profile is accepted with the runs, shown, compared and checked. A further session replaces it only if it has
# at least twice the samples. Otherwise the replacement would only enlarge the diff.

# profile FILE HOT [ALL]: another measurement, with HOT of ALL (9000) samples in one symbol.
profile() {
  jq --argjson hot "$2" --argjson all "${3:-9000}" --arg name "$(printf '%016d%016d' "$2" "${3:-9000}")" '
    .busy = [] | .scenarios[0].measurement = $name | .scenarios[0].profile = {
    event: "cpu-clock", frequency: 997, call_graph: "fp", normaliser: 1, samples: $all, lost: 0, weight: $all,
    runs: [$all / 3, $all / 3, $all / 3], rest_samples: 0, dsos: [{name: "prog", samples: $all, weight: $all}],
    threads: [{name: "prog", samples: $all, weight: $all}], doubts: [],
    symbols: [
      {symbol: "hot<int>::f\u001b[31m", key: "hot", dso: "prog", samples: $hot, total_samples: $hot,
       weight: $hot, total_weight: $hot, runs: [$hot / 3, $hot / 3, $hot / 3]},
      {symbol: "cold", dso: "prog", samples: ($all - $hot), total_samples: $all, weight: ($all - $hot),
       total_weight: $all, runs: [($all - $hot) / 3, ($all - $hot) / 3, ($all - $hot) / 3]}]}' first.json >"$1"
}

mk_scenario a <<'YAML'
target: { command: "true" }
measure: { runs: 3 }
profile: { kinds: [] }
gates: { page-faults: +50%, symbols: off }
YAML
expect 0 run
cp pawl-out/latest/result.json first.json
profile hot.json 6000
expect 0 baseline update --from hot.json --reason first
has "$err" 'accepted a: 3 runs and a profile, session 1 ('
sed -n '/"profile": {/,$p' baselines/a/*.json
"$PAWL" check

echo '-- show'
expect 0 baseline show a
sed -n '/profile:/,$p' "$out"
expect 0 baseline show a --json
jq -c '.baselines[0].profile | [.samples, .symbols[0].runs]' "$out"

echo '-- a session without one, and one with another'
jq '.busy = [] | .scenarios[0].measurement = "00000000000000000000000000000000" | del(.scenarios[0].profile)' first.json >none.json
expect 0 baseline update --from none.json
has "$err" 'added to a: 3 runs beside the profile of an earlier session, session 2 ('
jq -c '[(.sessions | length), .profile.symbols[0].samples]' baselines/a/*.json
profile again.json 6030
expect 0 baseline update --from again.json
has "$err" 'added to a: 3 runs beside the profile of an earlier session, session 3 ('
jq -c '[(.sessions | length), .profile.symbols[0].samples]' baselines/a/*.json
profile better.json 12060 18000
expect 0 baseline update --from better.json
has "$err" 'added to a: 3 runs and a profile, session 4 ('
jq -c '[(.sessions | length), .profile.symbols[0].samples]' baselines/a/*.json

echo '-- other code'
mk_repo
profile cooler.json 4500
jq '.scenarios[0].executable = "other"' cooler.json >other.json
expect 0 baseline update --from other.json --reason cooler
sed -n '/share/p' "$err"
expect 0 baseline diff
sed -n '/share/p' "$out"
expect 0 baseline diff --json
jq -c '.changed[0].symbols[]' "$out"
jq '.scenarios[0].profile.event = "cycles" | .scenarios[0].executable = "third" | .scenarios[0].measurement = "11111111111111111111111111111111"' cooler.json >cycles.json
expect 0 baseline update --from cycles.json --reason counters
sed -n '/profile:/p' "$err"
expect 0 baseline diff
sed -n '/profile:\|share /p' "$out"
expect 0 baseline update --from none.json --reason none
sed -n '/profile:/p' "$err"

echo '-- damaged'
git checkout -q baselines
sed -i 's/"runs": \[4020, 4020, 4020\]/"runs": [4020, 4020]/' baselines/a/*.json
expect 2 check
sed 's#/[^/]*.json#/CLASS.json#' "$err"
