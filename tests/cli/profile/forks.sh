# Children of the target are sampled, including background ones.

mk_burner
cp burner second
mk_scenario a <<YAML
target: { command: "./burner 40 & ./second 80; wait" }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 300, duration: 5s }
YAML
expect 0 run
profiled a
heavy '^burner;.*;hot ' 15
heavy '^second;.*;hot ' 35
