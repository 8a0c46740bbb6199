# Without a baseline the status is 0, and the first line says so calmly.

mk_quick a
expect 0 run
head -n 1 "$out" | sed 's/[0-9][0-9]*/N/; s/--from .*/--from RUN/'
has "$out" 'Save it: pawl baseline update a'
holds '.status == 0 and .partial == false and .mode == "stored" and .schema == 2'
holds '.scenarios[0] | .state == "measured" and .status == 0 and (.runs | length) == 3'
holds '.scenarios[0].gates | length == 1 and .[0].verdict == "new" and .[0].baseline == null'
first_line_has pawl-out/latest/report.md 'new: a measured for the first time'
