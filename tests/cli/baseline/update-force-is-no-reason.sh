# --force concerns only how the runs were measured. A worse result always needs a reason.

mk_quick damaged
mk_scenario worse <<'YAML'
setup: 'cp input ${tmp}/input'
target: { command: [awk, '{ x[NR] = $0 }', '${tmp}/input'] }
measure: { runs: 5 }
gates: { page-faults: +5% }
YAML
seq 1000 >input
expect 0 baseline update -q
seq 200000 >input
expect 1 run -q
before=$(cat baselines/worse/*.json)
refused() {
  local words=$1
  shift
  expect 2 baseline update -q --from worse.json --force "$@"
  has "$err" "$words"
  [[ $(cat baselines/worse/*.json) == "$before" ]] || fail 'it was accepted all the same'
}

cp pawl-out/latest/result.json worse.json
refused 'say why with --reason'
refused '--reason' --reason ''
for blank in $' \t\n' $'\u00a0\u3000\u200b\u2003' '...'; do refused 'gives no reason' --reason "$blank"; done

# A damaged baseline does not silence the judge either.
for file in baselines/damaged/*.json; do echo '{' >"$file"; done
refused 'worse: its code' worse
refused 'replaces a damaged baseline' damaged
expect 2 baseline update -q --from worse.json --force
[[ $(cat baselines/worse/*.json) == "$before" ]] || fail 'it was accepted beside a damaged one'
expect 0 baseline update -q --from worse.json --force --reason '正しい入力'
jq -r '.sessions[].reason' baselines/*/*.json
