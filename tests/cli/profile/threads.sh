# Threads are sampled under their names.

mk_burner
mk_scenario a <<YAML
target: { command: [./burner, "60", "3"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 300, duration: 5s }
YAML
expect 0 run
profiled a
for i in 0 1 2; do heavy "^worker-$i;.*;hot " 10; done
