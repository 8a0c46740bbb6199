# A target fails only under the profiler. The counted runs stay, and a note gives the reason.

mk_scenario a <<'YAML'
target: { command: "echo >>ran; test $(wc -l <ran) -le 4 || { echo fourth is enough; exit 7; }" }
warmup: { runs: 0 }
measure: { runs: 3 }
profile: { frequency: 997, samples: 300, duration: 20s }
YAML
expect 0 run
holds '.scenarios[0].state == "measured" and (.scenarios[0].runs | length) == 3'
holds '.scenarios[0].notes | any(test("no profile could be taken: in profiled run [1-3]: the target exited with status 7"))'
holds '.scenarios[0].gates | all(.verdict != "regression")'
[[ ! -e pawl-out/latest/a/stacks.folded ]] || fail 'there are stacks of a profile that was not taken'

# A target that hangs under the profiler reaches its timeout.
mk_scenario b <<'YAML'
target: { command: "echo >>hung; test $(wc -l <hung) -le 2 || exec sleep 100" }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 1s }
profile: { frequency: 997, samples: 300, duration: 2s }
YAML
expect 0 run b
holds '.scenarios[0].notes | any(test("the target did not end within 1 s"))'
