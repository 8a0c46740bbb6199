# A scenario within its max passes without a baseline, even with --strict.

mk_scenario a <<'YAML'
target: { command: "true" }
measure: { runs: 3 }
gates: { max-rss: { max: 512MiB }, wall-time: { max: 30s } }
YAML
expect 0 run --strict
has "$out" 'pass  a'
holds '[.scenarios[0].gates[].verdict] == ["pass", "pass"]'
