# --counts judges exact counts by one run of each side: against baselines, in a pair with --base, and with --bisect.

mk_scenario none 'target: { command: [./work] }' 'gates: { task-clock: default }'
mk_counted <<'YAML'
target: { command: [./work] }
measure: { runs: 5, budget: 60s }
gates: { task-clock: +2%, max-rss: +5%, instructions: +1% }
YAML
expect 0 baseline update a --force
expect 0 run --counts
holds '.scenarios | map(.name) == ["a", "none"]'
holds '.scenarios | all((.runs | length) == 1)'
# Gates that are not counts are named once, and fail nothing.
holds '.scenarios[0].notes | index("only exact counts are judged, by one run; not judged: task-clock, max-rss") != null'
holds '[.scenarios[0].gates[] | "\(.metric) \(.verdict)"] == ["instructions pass"]'
# A scenario without a gate on a count is judged by its instructions, which its result can become the baseline of.
holds '[.scenarios[1].gates[] | "\(.metric) \(.verdict)"] == ["instructions new"]'
expect 0 baseline update none --from pawl-out/latest --force
expect 0 run none --counts --strict
holds '.scenarios[0].gates | all(.verdict == "pass")'
commit_all accepted

# 20 % more instructions are red at once: against the baseline, and in one pair.
echo 240000 >rounds
cc -O1 -DROUNDS=240000 -o work work.c
expect 1 run --counts
holds '.scenarios | all(.gates | any(.metric == "instructions" and .verdict == "regression"))'
expect 1 run a --counts --base HEAD
holds '.scenarios[0] | (.pairs | length) == 1 and (.gates | length) == 1 and .gates[0].verdict == "regression"'
expect 1 run a --counts --base HEAD --bisect
git checkout -q rounds
expect 0 run a --counts --base HEAD --bisect --head HEAD
expect 0 run a --counts --base HEAD --strict --head HEAD

expect 2 run a --counts --runs 5
has "$err" '--counts takes one run of each side; leave --runs out'
