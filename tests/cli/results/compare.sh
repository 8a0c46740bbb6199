# compare BASE HEAD judges two stored results by HEAD's gates and measures nothing. A folder with a result can stand for it.

mk_quick a
mk_quick b
expect 0 run
jq '.scenarios[].runs |= map(.["page-faults"] = 100)' pawl-out/latest/result.json >base.json
jq '.scenarios[0].runs |= map(.["page-faults"] = 200)' base.json >head.json
rm -rf pawl-out
expect 1 compare base.json head.json
first_line_has "$out" REGRESSION
has "$out" 'REGRESSION a page-faults +100 %'
expect 0 compare base.json base.json
lacks "$out" 'NOTHING WAS COMPARED' REGRESSION
expect 0 compare head.json base.json
expect 1 compare base.json head.json --json
cp "$out" compared.json
jq -c '[.status, (.scenarios[] | [.name, .gates[0].verdict, .gates[0].change_pct])]' compared.json
expect 1 compare base.json head.json --format json
cmp "$out" compared.json
expect 1 compare base.json head.json --format markdown
first_line_has "$out" REGRESSION
expect 1 compare base.json head.json --format markdown -o report.md
[[ ! -s $out ]] || fail '-o prints on standard output all the same'
first_line_has report.md REGRESSION
expect 1 compare base.json head.json -o -
first_line_has "$out" REGRESSION
nothing_measured

# The report does not repeat the advice and the report path of HEAD's own comparison.
expect 1 compare base.json head.json -v
lacks "$out" '  rerun ' '  accept ' '  report ' 'pawl run' 'pawl-out'
has "$out" 'pawl compare base.json head.json'
jq '.scenarios[0].causes = [{kind: "work", sentence: "an old cause", amount: 3}]' head.json >caused.json
expect 1 compare base.json caused.json
lacks "$out" 'an old cause'
jq '.judge = {ref: "main", commit: null, own: false, edits: [{path: "pawl.yaml", change: "edited"}], not_protected: ["scenarios"]}' \
	head.json >judged.json
expect 1 compare base.json judged.json -v
lacks "$out" JUDGE 'pawl.yaml'
# A comparison of two results offers no accept command for a scenario that only HEAD has.
jq 'del(.scenarios[0, 1])' base.json >none.json
expect 0 compare none.json head.json
first_line_has "$out" 'NOTHING WAS COMPARED'
first_line_has "$out" 'the base has no values of a and 1 more'
lacks "$out" accept 'baseline update'
expect 4 compare none.json head.json --strict

# A scenario that only BASE has is reported, and is status 4 with --strict.
mkdir base head
cp base.json base/result.json
jq 'del(.scenarios[1])' base.json >head/result.json
expect 0 compare base head
lacks "$out" 'NOTHING WAS COMPARED'
has "$out" 'pass  a  page-faults' 'only BASE has these scenarios, so they were not compared: b'
expect 4 compare --strict base head
expect 0 compare base/ head/result.json
has "$out" 'pass  a  page-faults'
