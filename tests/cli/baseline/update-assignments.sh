# Assignments before the program in a shell command do not hide it, so the second session is added.

mk_scenario set <<'YAML'
target: { command: "A=1 B=$PATH:/usr/sbin; exec gzip -V" }
measure: { runs: 3 }
gates: { page-faults: +50% }
YAML
need gzip
expect 0 baseline update --reason first set
expect 0 baseline update set
[[ $(jq '.sessions | length' baselines/set/*.json) -eq 2 ]] || fail "$(jq -c '.sessions[].executable' baselines/set/*.json)"
jq -e '.sessions[0].executable | startswith("build-id:")' baselines/set/*.json >/dev/null || fail 'not an executable'
