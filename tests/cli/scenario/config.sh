# pawl.yaml sets folders and defaults for every scenario. Its faults are reported as a scenario's are.

mkdir speed
cat >pawl.yaml <<'YAML'
scenarios: speed
baselines: speed/accepted
out: build/pawl-out
measure: { runs: 2 }
profile: { kinds: [] }
gates: { max-rss: { max: 1GiB } }
YAML
printf 'version: 1\ntarget: { command: "true" }\n' >speed/a.yaml
expect 0 baseline update --reason first
find . -name '*.json' | sed -E 's/x86_64[^/]*|aarch64[^/]*/CLASS.json/' | sort
holds '.scenarios[0] | (.runs | length) == 2 and [.gates[].metric] == ["task-clock", "page-faults", "max-rss"]' build/pawl-out/latest/result.json
expect 0 run
holds '.scenarios[0].gates[1].verdict != "new"' build/pawl-out/latest/result.json
sed -i '/^baselines/d' pawl.yaml
expect 0 run
first_line_has "$out" 'measured for the first time'
echo 'scenarois: speed' >pawl.yaml
"$PAWL" check
