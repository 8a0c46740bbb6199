# Worse runs of the same executable must not join the sessions and hide in their spread.

mk_scenario a <<'YAML'
setup: 'cp input ${tmp}/input'
target: { command: [awk, '{ x[NR] = $0 }', '${tmp}/input'] }
measure: { runs: 5 }
gates: { page-faults: +5% }
YAML
seq 1000 >input
expect 0 baseline update -q
seq 200000 >input
expect 1 run -q
jq '.busy = []' pawl-out/latest/result.json >worse.json
expect 2 baseline update -q --from worse.json
has "$err" 'say why with --reason'
