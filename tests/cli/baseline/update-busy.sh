# Runs of a busy machine are accepted, with how busy it was. Their times count for little.

mk_scenario a 'target: { command: "true" }' 'measure: { runs: 5 }' 'gates: { task-clock: default, page-faults: +50% }'
# session NAME BUSY MS: a measurement whose runs took MS each.
session() {
  jq --arg name "$(printf '%032d' "$1")" --argjson busy "$2" --argjson ms "$3" '.busy = $busy | .scenarios[0].measurement = $name |
    .scenarios[0].runs[]["task-clock"] = $ms' first.json >"$1.json"
}

expect 0 run
cp pawl-out/latest/result.json first.json
session 1 '["other processes used 1.9 of 2 CPUs while measuring", "the hypervisor took 9.0 % of the CPU time (steal)"]' 90
session 2 '[]' 60
expect 0 baseline update --from 1.json --reason x
has "$err" 'the machine was busy (other processes used 1.9 of 2 CPUs while measuring): times of this session count for little'
jq -c '.sessions[].busy' baselines/a/*.json
expect 0 baseline show a
has "$out" 'busy: other processes used 1.9 of 2 CPUs while measuring; the hypervisor took 9.0 % of the CPU time (steal); its times count for little'
grep -o 'task-clock .*' "$out"

# A quiet session takes over the times, and nothing else.
expect 0 baseline update --from 2.json
lacks "$err" 'the machine was busy'
jq -c '.sessions[].busy' baselines/a/*.json
expect 0 baseline show a
grep -o 'task-clock .*' "$out"
grep -q 'page-faults .* 10$' "$out" || fail 'page faults of the busy session were left out'
expect 0 check
