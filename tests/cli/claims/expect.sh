# A claim of an improvement is proven, refuted or open, and only the first has status 0.

mk_program 60
mk_scenario work 'target: { command: ./work }' 'gates: { task-clock: default }'
mk_repo
git tag base
mk_program 48

# A fifth less work. The claim replaces no other metric's gate.
expect 0 run --base base --expect 'cpu-time -10%'
first_line_has "$out" 'PROVEN work CPU time is faster by at least'
has "$out" '(claimed 10 %)'
holds '.status == 0 and ([.scenarios[0].gates[] | select(.claim)] | length == 1)'
holds '.scenarios[0].gates[] | select(.claim) | .metric == "cpu-time" and .verdict == "improvement" and .high_pct <= -10 and .tolerance_pct == 10'
holds '.scenarios[0].gates[] | select(.metric == "task-clock") | .verdict == "improvement"'
has "$out" "--expect 'cpu-time -10%'"

expect 1 run --base base --expect 'cpu-time -30%'
first_line_has "$out" 'REFUTED work CPU time is faster by at most'
holds '.scenarios[0].gates[] | select(.claim) | .verdict == "regression" and .low_pct > -30'
has pawl-out/latest/report.md '1: a claim was not proven'
has pawl-out/latest/junit.xml '<failure'

# Too few pairs prove nothing, and that is no success.
expect 1 run --base base --expect 'cpu-time -10%' --runs 5
first_line_has "$out" 'NOT PROVEN work CPU time'
holds '.scenarios[0].gates[] | select(.claim) | .verdict == "inconclusive"'

# An unchanged program is not faster. What is not measured is not proven either: no pair has a value.
expect 1 run --base . --expect 'cpu-time -10%'
first_line_has "$out" 'REFUTED work CPU time is '
echo 'metrics: [{ name: rate, regex: "rate ([0-9]+)", better: higher }]' >>scenarios/work.yaml
expect 3 run --base base --expect 'rate +10%' --runs 2
holds '.scenarios[0].gates[] | select(.claim) | .verdict == "not-measured"'

# Without a base there is nothing to be better than.
expect 2 run --expect 'cpu-time -10%'
has "$err" '--expect: compare with what?'
expect 2 run --base base --expect 'cpu-tim -10%'
has "$err" "unknown metric 'cpu-tim'; did you mean 'cpu-time'?"
