# A failed run is not accepted, even with --force. Other scenarios of the same run are.

mk_quick good
mk_scenario bad 'target: { command: "false" }'
expect 3 baseline update --force --reason 'the first'
has "$err" 'not accepted: bad: ' 'exited with status 1'
find baselines -type f | sed -E 's#/[^/]*$#/CLASS.json#'
expect 3 baseline update --from pawl-out/latest --force --reason again bad
