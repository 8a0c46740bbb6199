# An interrupted update leaves the accepted baseline unchanged.

marker=update-$$-long
mk_scenario a <<YAML
target: { command: "test -e long && sh -c 'sleep 300; : $marker'; true" }
measure: { runs: 2, timeout: 300s }
gates: { page-faults: +50% }
YAML
expect 0 baseline update --reason first
before=$(cat baselines/a/*.json)
touch long
interrupted INT "$marker" baseline update --reason second
[[ $(cat baselines/a/*.json) == "$before" ]] || fail 'the baseline was changed'
[[ $(find baselines -type f | wc -l) -eq 1 ]] || fail "left: $(find baselines)"
