# If a scenario has faults, baseline update measures and accepts nothing.
. "$LIB"

mk_quick a
mk_scenario b <<'YAML'
target: { command: }
YAML
expect 2 baseline update --reason x
has "$err" scenarios/b.yaml:2:20
nothing_measured
[[ ! -e baselines ]] || fail 'something was accepted'
