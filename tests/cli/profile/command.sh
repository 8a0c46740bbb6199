# A command is profiled in three runs, with its threads under their names, and its children, also in the background. perf
# can open the recordings, and hot() has most samples. If the duration has room for one run only, that run is complete and a
# note says so. pawl keeps reading a target that floods its output. An ordinary user samples own programs, in user mode
# only.

mk_burner
cp burner second
# burns NAME COMMAND PROFILE: a scenario whose profile has these keys.
burns() {
  mk_scenario "$1" "target: { command: $2 }" 'warmup: { runs: 0 }' 'measure: { runs: 2 }' "profile: { frequency: 997, $3 }"
}
burns children '"./burner 40 & ./second 80; wait"' 'samples: 300, duration: 5s'
burns command '[./burner, "100"]' 'samples: 300, duration: 5s'
burns few '[./burner, "300"]' 'samples: 5000, duration: 100ms'
burns floods '"head -c 100000000 /dev/zero"' 'samples: 60, duration: 2s'
burns threads '[./burner, "60", "3"]' 'samples: 300, duration: 5s'
export HOME=$CASE_DIR/kept/home
mkdir -p "$HOME"
expect 0 run
holds 'all(.scenarios[]; .state == "measured" and (.runs | length) == 2)'

profiled command
[[ $(recordings) -ge 3 ]] || fail "$(recordings) recordings"
heavy ';hot ' 75
light ';warm ' 20
# The profile has no samples of pawl. Exception: the child before its exec.
light '^pawl' 3
perf report -i "$folder/perf-2.data" --stdio 2>/dev/null | grep hot >/dev/null || fail 'perf report cannot read perf-2.data'
perf buildid-list -i "$folder/perf.data" | grep burner >/dev/null || fail 'no build-id of the burner'
[[ -z $(ls -A "$HOME") ]] || fail "left in the home: $(ls -A "$HOME")"
tidy || fail 'a scratch folder is left'

profiled children
heavy '^burner;.*;hot ' 15
heavy '^second;.*;hot ' 35
profiled few
[[ $(recordings) -eq 1 ]] || fail "$(recordings) recordings"
holds '.scenarios[] | select(.name == "few").notes | any(test("profile: 1 of 3 profiled runs fitted into 0.1 s; raise profile.duration"))'
heavy ';hot ' 75
profiled floods
heavy '^head' 80
profiled threads
for i in 0 1 2; do heavy "^worker-$i;.*;hot " 10; done

[[ $(cat /proc/sys/kernel/perf_event_paranoid) -eq 2 ]] || exit 0
be_ordinary
expect 0 run command
profiled command
heavy ';hot ' 75
