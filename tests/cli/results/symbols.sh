# Two stored results with profiles: the gated symbols, their cost, and their share of the change.

# profiled FILE TASK_CLOCK_MS SHARES [GATE] [PROFILE]: SHARES are permille of 9000 samples in three runs, '{"hash": 100}'.
profiled() {
  jq -n --argjson clock "$2" --argjson shares "$3" --argjson gate "${4:-{\}}" --argjson profile "${5:-{\}}" '
    {schema: 1, mode: "stored", status: 0, partial: false, command: "pawl run", date: "2026-11-21T10:05:54Z",
     pawl: "0.1.0",
     machine: {arch: "x86_64", cpu: "Xeon", part: "xeon-4cpu", cpus: 4, tier: "sw", kernel: "6.1", os: "Debian"},
     scenarios: [{name: "words", path: "scenarios/words.yaml", state: "measured", status: 0, runs_wanted: 6,
       settings: {command: ["words"]},
       symbol_gate: ({on: true, top: 10, rise_pp: 1, new_pp: 1, by_default: false} + $gate),
       budgets: [{of: "symbol", glob: "hash*", max_pct: 30}],
       profile: ({event: "cpu-clock", frequency: 997, call_graph: "fp", normaliser: 1, samples: 9000, lost: 0,
         weight: 9000e6, runs: [3000, 3000, 3000],
         symbols: [$shares | to_entries | sort_by(-.value)[] | (.value * 9) as $n |
           {symbol: .key, dso: "words", samples: $n, total_samples: $n, weight: ($n * 1e6), total_weight: ($n * 1e6),
            runs: [range(3) | $n / 3]}],
         rest_samples: (9000 - ([$shares[]] | add * 9)), dsos: [], threads: [], doubts: []} + $profile),
       gates: [{metric: "task-clock", relative: true, tolerance_pct: 25, verdict: "pass"}],
       runs: [range(6) | {"task-clock": ($clock * (1 + . / 10000))}]}]}' >"$1"
}
# judged METRIC: prints its verdict in the last output.
judged() { jq -r --arg m "$1" '.scenarios[0].gates[] | select(.metric == $m).verdict' "$out"; }

profiled base.json 100 '{"hash_word": 150, "read": 200, "find": 100, "main": 540, "other": 10}'
expect 0 compare base.json base.json --json
[[ $(judged 'symbol hash*') == pass ]] || fail "the budget: $(judged 'symbol hash*')"

profiled slower.json 200 '{"hash_word": 75, "read": 100, "find": 550, "main": 270, "other": 5}'
expect 1 compare -v base.json slower.json
sed -n '1,/^  profile/p' "$out"
expect 1 compare base.json slower.json --json
[[ $(judged symbols) == regression ]] || fail "symbols: $(judged symbols)"
cp "$out" again.json
expect 1 report again.json --format markdown
has "$out" 'find costs'
expect 1 compare base.json again.json --json
[[ $(jq '[.scenarios[0].gates[].metric] | length' "$out") == 3 ]] || fail 'judging again adds rows'

# A max share needs no baseline.
profiled over.json 100 '{"hash_word": 400, "read": 100}'
expect 1 compare over.json over.json
has "$out" 'symbol hash* 40.0 % over max 30 %'

plain='{"hash_word": 150, "read": 200, "main": 640, "other": 10}'
# Profiles that cannot be compared are reported, and fail a required gate. pawl's default gate stays silent.
for gate in '{}:0' '{"required": true}:3' '{"by_default": true}:0'; do
  profiled other.json 100 "$plain" "${gate%:*}" '{"frequency": 99}'
  expect "${gate##*:}" compare -v base.json other.json
  has "$out" 'another frequency (997'
done
profiled own.json 100 "$plain" '{"by_default": true}' '{"frequency": 99}'
expect 0 compare base.json own.json --strict --json
[[ $(judged symbols) == not-measured ]] || fail "symbols: $(judged symbols)"
profiled own.json 100 "$plain" '{}' '{"frequency": 99}'
expect 4 compare base.json own.json --strict
