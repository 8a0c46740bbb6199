# A command is profiled in three runs. perf can open the recordings, and hot() has most samples.

mk_burner
mk_scenario a <<YAML
target: { command: [./burner, "100"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 300, duration: 5s }
YAML
export HOME=$CASE_DIR/kept/home
mkdir -p "$HOME"
expect 0 run
profiled a
holds '.scenarios[0].state == "measured" and (.scenarios[0].runs | length) == 2'
[[ $(recordings) -ge 3 ]] || fail "$(recordings) recordings"
heavy ';hot ' 75
light ';warm ' 20
# The profile has no samples of pawl. Exception: the child before its exec.
light '^pawl' 3
perf report -i "$folder/perf-2.data" --stdio 2>/dev/null | grep hot >/dev/null || fail 'perf report cannot read perf-2.data'
perf buildid-list -i "$folder/perf.data" | grep burner >/dev/null || fail 'no build-id of the burner'
[[ -z $(ls -A "$HOME") ]] || fail "left in the home: $(ls -A "$HOME")"
tidy || fail 'a scratch folder is left'
