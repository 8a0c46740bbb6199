# Without a baseline the status is 0, and the first line says so calmly. --strict gives status 4, in the result as well.
# --json prints result.json byte for byte on standard output. Messages go to standard error.

mk_quick a
calm() { head -n 1 "$out" | sed 's/[0-9][0-9]*/N/; s/--from .*/--from RUN/'; }
expect 0 run
calm
has "$out" 'Save it: pawl baseline update a'
holds '.status == 0 and .partial == false and .mode == "stored" and .schema == 2'
holds '.scenarios[0] | .state == "measured" and .status == 0 and (.runs | length) == 3'
holds '.scenarios[0].gates | length == 1 and .[0].verdict == "new" and .[0].baseline == null'
first_line_has pawl-out/latest/report.md 'new: a measured for the first time'

expect 4 run --strict -q
calm
[[ ! -s $err ]] || fail "-q still talks: $(cat "$err")"
holds '.status == 4 and .strict'

expect 0 run --json
cmp "$out" pawl-out/latest/result.json
has "$err" '[1/1] a: '
holds '.command == "pawl run --json" and .out_dir != null and (.machine | .class and .tier and .arch)'
holds '.scenarios[0].runs[0] | .["wall-time"] > 0 and .["max-rss"] > 0 and .["page-faults"] > 0'
