# One recording holds many executions of a short command, each with its prepare.

mk_burner
mk_scenario a <<YAML
prepare: [sh, -c, "echo >>prepared"]
target: { command: [./burner, "5"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 300, duration: 10s }
YAML
expect 0 run
profiled a
[[ $(recordings) -le 6 ]] || fail "$(recordings) recordings"
[[ $(wc -l <prepared) -ge 12 ]] || fail "prepared $(wc -l <prepared) times"
heavy ';hot ' 40
# The prepare command is not sampled.
light '^sh;' 0
# The start of a run is never sampled, and the table says so.
has "$folder/top.md" 'are never sampled: raise profile.frequency'
sed -i 's/frequency: 997, samples: 300/frequency: 9970, samples: 3000/' scenarios/a.yaml
rm prepared
expect 0 run
profiled a
lacks "$folder/top.md" 'are never sampled'
