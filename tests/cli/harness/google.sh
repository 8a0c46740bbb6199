# Google Benchmark in pairs: the benchmark with a planted slowdown regresses alone. Skipped ones are not measured.

mk_google
mk_micro google-benchmark '[./bench]' <<<'gates: { "*": default, "BM_wall*": off, "BM_none*": 3% }'
g++ -O1 -DSLOWER=1 -o bench bench.cc -lbenchmark -lpthread
expect 1 run micro --base ../base --no-explain
has "$out" 'REGRESSION micro BM_parse/512 +' 'passed' 'new BM_new: only the head has' 'BM_gone: gone; only the base has'
verdicts
holds '.scenarios[0].gates | map(select(.metric == "BM_skip"))[0].reason | contains("failed: no device")'
holds '.scenarios[0].gates | map(select(.metric == "BM_gone"))[0].reason == "gone; only the base has this benchmark"'
holds '.scenarios[0].gates | map(select(.metric == "BM_new"))[0].reason == "only the head has this benchmark"'
holds '.scenarios[0].pairing.gates == 7'
# A gate that is off needs no pairs in turn.
holds '.scenarios[0].pairing.way == "together" or .scenarios[0].pairing.apart != null'

# The report says what so many gates can see.
expect 1 report --format text -v
tr -s '\n ' '  ' <"$out" >"$CASE_DIR/kept/line"
has "$CASE_DIR/kept/line" 'with 7 gates, changes from' 'in half of the benchmarks'

# Its file is read again, and the exports name each benchmark.
expect 1 report --format bmf
has "$out" '"Set<char *>"' '"BM_parse/512"'
expect 1 report --format openmetrics
has "$out" 'gate="Set<char *>"'
expect 1 report --format html
has "$out" 'Set&lt;char *&gt;'

# A filter chooses, and one that matches nothing is an error.
mk_micro google-benchmark '[./bench]' '^BM_parse/64$' <<<'gates: { "*": { max-increase: 900% } }'
expect 0 run micro --base ../base --no-explain --budget 5s
[[ $(verdicts | wc -l) -eq 1 ]] || fail 'the filter was ignored'
mk_micro google-benchmark '[./bench]' 'Nothing' <<<''
expect 3 run micro --base ../base --no-explain
has "$out" "target.filter 'Nothing' matches none"
