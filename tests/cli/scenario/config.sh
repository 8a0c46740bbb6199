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
echo 'scenarois: speed' >pawl.yaml
"$PAWL" check
