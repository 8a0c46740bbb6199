# If the duration has room for one run only, that run is complete and a note says so.

mk_burner
mk_scenario a <<YAML
target: { command: [./burner, "300"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 5000, duration: 100ms }
YAML
expect 0 run
profiled a
[[ $(recordings) -eq 1 ]] || fail "$(recordings) recordings"
holds '.scenarios[0].notes | any(test("profile: 1 of 3 profiled runs fitted into 0.1 s; raise profile.duration"))'
heavy ';hot ' 75
