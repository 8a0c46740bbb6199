# If a scenario has faults, baseline update measures and accepts nothing. A failed run is not accepted, even with --force. Other
# scenarios of the same run are.

mk_quick good
mk_scenario bad 'target: { command: }'
expect 2 baseline update --reason x
has "$err" scenarios/bad.yaml:2:20
nothing_measured
[[ ! -e baselines ]] || fail 'something was accepted'
mk_scenario bad 'target: { command: "false" }'
expect 3 baseline update --force --reason 'the first'
has "$err" 'not accepted: bad: ' 'exited with status 1'
find baselines -type f | sed -E 's#/[^/]*$#/CLASS.json#'
expect 3 baseline update --from pawl-out/latest --force --reason again bad
