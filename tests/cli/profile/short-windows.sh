# Windows much shorter than a recording share one, so that profile.duration bounds the time and
# few recordings hold the samples.

server_scenario web '' 20 count <<'YAML'
measure: { runs: 2 }
profile: { samples: 9000, duration: 6s }
YAML
expect 0 run
profiled web
[[ $(recordings) -ge 3 && $(recordings) -le 5 ]] || fail "$(recordings) recordings of windows of some 30 ms"
# 60 recordings would hold as many samples and take a minute more.
[[ $(result '.scenarios[0].profile.samples') -ge 50 ]] || fail "$(result '.scenarios[0].profile.samples') samples"
