# A worse result always needs a reason, also of the same executable: its runs must not join the sessions and hide in their
# spread. --force concerns only how the runs were measured.

need python3
mk_quick damaged
mk_scenario script 'target: { command: [python3, w.py] }' 'measure: { runs: 5 }' 'gates: { page-faults: +5% }'
mk_scenario worse <<'YAML'
setup: 'cp input ${tmp}/input'
target: { command: [awk, '{ x[NR] = $0 }', '${tmp}/input'] }
measure: { runs: 5 }
gates: { page-faults: +5% }
YAML
seq 1000 >input
echo 'for i in range(20000): pass' >w.py
expect 0 baseline update -q
seq 200000 >input
echo 'x = [str(i) for i in range(200000)]' >w.py
expect 1 run -q
before=$(cat baselines/worse/*.json)
jq '.busy = []' pawl-out/latest/result.json >worse.json
unjoined() {
  local words=$1
  shift
  expect 2 baseline update -q --from worse.json "$@"
  has "$err" "$words"
  [[ $(cat baselines/worse/*.json) == "$before" ]] || fail 'it was accepted all the same'
}

for name in worse script; do unjoined 'say why with --reason' "$name"; done
cp pawl-out/latest/result.json worse.json
unjoined 'say why with --reason' --force
unjoined '--reason' --force --reason ''
for blank in $' \t\n' $'\u00a0\u3000\u200b\u2003' '...'; do unjoined 'gives no reason' --force --reason "$blank"; done

# A damaged baseline does not silence the judge either.
for file in baselines/damaged/*.json; do echo '{' >"$file"; done
unjoined 'worse: its code' --force worse
unjoined 'replaces a damaged baseline' --force damaged
unjoined 'a damaged baseline' --force
expect 0 baseline update -q --from worse.json --force --reason '正しい入力'
jq -r '.sessions[].reason' baselines/*/*.json
expect 0 run -q script
