# Formats of other programs: Bencher, github-action-benchmark and OpenMetrics.

mk_quick a
mk_scenario b <<'YAML'
target: { command: "echo rate 5; true" }
measure: { runs: 3 }
metrics: [{ name: rate, regex: 'rate ([0-9.]+)', unit: req/s, better: higher }]
gates: { rate: -50%, max-rss: { max: 1GiB } }
YAML
expect 0 run --out r
expect 0 report r --format bmf
jq -e '.a."page-faults" | .lower_value <= .value and .value <= .upper_value and .value > 0' "$out" >"$CASE_DIR/kept/jq" || fail "$(cat "$out")"
jq -e '.b.rate.value == 5 and (.b."max-rss".value > 0)' "$out" >"$CASE_DIR/kept/jq" || fail "$(cat "$out")"
expect 0 report r --format smaller-is-better
jq -e 'map(.name) == ["a page-faults", "b max-rss"] and all(.[]; (.value | type) == "number" and (.unit | type) == "string")' "$out" \
  >"$CASE_DIR/kept/jq" || fail "$(cat "$out")"
expect 0 compare r r --format bigger-is-better -o bigger.json
jq -e '. == [{name: "b rate", unit: "req/s", value: 5, range: "± 0", extra: .[0].extra}]' bigger.json >"$CASE_DIR/kept/jq" || fail "$(cat bigger.json)"

# Every OpenMetrics line is metadata or a sample. Families are contiguous, and the last line is the end mark.
expect 0 report r --format openmetrics
[[ $(tail -n 1 "$out") == '# EOF' ]] || fail 'no end'
grep -vE '^# (TYPE|UNIT|HELP) [a-z_0-9]+ .+$|^[a-z_0-9]+(\{([a-z]+="([^"\\]|\\.)*",?)+\}) [-+0-9.e]+$|^# EOF$' "$out" && fail 'a line that is neither'
[[ -z $(grep -v '^#' "$out" | cut -d'{' -f1 | uniq | sort | uniq -d) ]] || fail 'a family is there twice'
has "$out" 'pawl_rate{scenario="b",' 'pawl_gate_verdict{scenario="a",' 'gate="page-faults",verdict="new"} 1' '# UNIT pawl_max_rss_bytes bytes'

# A number is in the unit that its label names, though pawl keeps times in ms and sizes in bytes.
mk_scenario c <<'YAML'
target: { command: "echo took 250 ns, 3 KiB; true" }
measure: { runs: 3 }
metrics: [{ name: took, regex: 'took ([0-9.]+)', unit: ns, better: lower },
          { name: size, regex: '([0-9]+) KiB', unit: KiB, better: lower }]
gates: { took: +50%, size: +50% }
YAML
expect 0 run c --out own
expect 0 report own --format smaller-is-better
jq -e 'map([.name, .unit, (.value * 1e6 | round) / 1e6, .range]) | sort == [["c size", "KiB", 3, "± 0"], ["c took", "ns", 250, "± 0"]]' "$out" \
  >"$CASE_DIR/kept/jq" || fail "$(cat "$out")"
