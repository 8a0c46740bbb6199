# Processes that setup leaves running end with the scenario.

marker=setup-$$-left
cat >setup.sh <<'SH'
setsid sh -c 'touch left; sleep 300; : '"$1" >/dev/null 2>&1 &
while [ ! -e left ]; do sleep 0.01; done
SH
mk_scenario a <<YAML
setup: sh setup.sh $marker
target: { command: "true" }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
expect 0 run
[[ -e left ]] || fail 'setup did not run'
holds '.scenarios[0].state == "measured"'
gone "$marker"
