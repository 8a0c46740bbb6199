# An ordinary user samples own programs, in user mode only.

[[ $(cat /proc/sys/kernel/perf_event_paranoid) -eq 2 ]] || skip 'perf_event_paranoid is not 2'
mk_burner
be_ordinary
mk_scenario a <<YAML
target: { command: [./burner, "100"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 300, duration: 5s }
YAML
chown -R 65534:65534 .
expect 0 run
profiled a
heavy ';hot ' 75
