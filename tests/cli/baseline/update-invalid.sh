# If a scenario has faults, baseline update measures and accepts nothing.

mk_quick a
mk_scenario b 'target: { command: }'
expect 2 baseline update --reason x
has "$err" scenarios/b.yaml:2:20
nothing_measured
[[ ! -e baselines ]] || fail 'something was accepted'
