# report repeats the last run's report in every format, with the result's status.

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
