# pawl keeps reading a target that floods its output while profiled.

mk_scenario a <<'YAML'
target: { command: "head -c 100000000 /dev/zero" }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 60, duration: 2s }
YAML
expect 0 run
profiled a
heavy '^head' 80
