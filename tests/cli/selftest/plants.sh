# What is planted in the head is caught by the scenario's own gates, unless their limit is too high.

mk_program 40
sh -c "$(sed -n 's/^build: //p' pawl.yaml)" || skip 'nothing can be compiled here'
mk_scenario work 'target: { command: ./work }' 'gates: { task-clock: default }'
mk_scenario lax 'target: { command: ./work }' 'gates: { task-clock: 50% }'
mk_scenario broken 'target: { command: "false" }' 'gates: { task-clock: default }'

# The time is over after the first two sizes, which are always tried.
expect 0 selftest work --tries 1 --budget 1s --json
holds '.status == 0 and (.scenarios[0] | .least_caught_pct == 10 and .complete == false and .cpu_ms > 5)' "$out"
holds '.scenarios[0].planted[0:2] | map([.change_pct, .tries, .caught]) == [[0, 1, 0], [10, 1, 1]]' "$out"
holds '.scenarios[0].planted[2:] | all(.tries == 0 and .seconds == null)' "$out"
has "$err" 'work +10 %: 1 of 1 caught'

expect 1 selftest lax --tries 1 --budget 1s
has "$out" 'limits task-clock 50 %' 'FAILED: +10 % passes'
expect 3 selftest broken --tries 1
has "$out" 'broken: FAILED:'
tidy || fail "left: $(ls -A "$TMPDIR")"
[[ ! -e pawl-out ]] || fail 'a selftest leaves no results'
