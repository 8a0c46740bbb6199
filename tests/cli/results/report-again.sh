# report repeats the last run's report in every format, with the result's status. -o writes to a device or a path below
# /dev/fd and does not replace it with a file.

mk_scenario a 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { max-rss: { max: 1KiB } }'
expect 1 run
sed '/results: /d' "$out" >first
expect 1 report
diff first "$out"
expect 1 report --format markdown
diff pawl-out/latest/report.md "$out"
expect 1 report --json
jq -e '.status == 1' "$out" >/dev/null
expect 1 report pawl-out/latest/result.json -o deep/er/report.txt
diff first deep/er/report.txt
expect 1 report -o /dev/fd/3 3>through.txt
diff first through.txt
need_root
mknod null c 1 3 2>/dev/null && mknod full c 1 7 && : >null || skip 'no device can be made here'
expect 1 report -o null
expect 3 report -o full
has "$err" "cannot write 'full'"
[[ -c null && -c full ]] || fail "a device was replaced: $(ls -l)"
