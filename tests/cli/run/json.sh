# --json prints result.json byte for byte on standard output. Messages go to standard error.

mk_quick a
expect 0 run --json
cmp "$out" pawl-out/latest/result.json
has "$err" '[1/1] a: '
holds '.command == "pawl run --json" and .out_dir != null and (.machine | .class and .tier and .arch)'
holds '.scenarios[0].runs[0] | .["wall-time"] > 0 and .["max-rss"] > 0 and .["page-faults"] > 0'
expect 0 run --json -q
[[ ! -s $err ]] || fail "-q still talks: $(cat "$err")"
