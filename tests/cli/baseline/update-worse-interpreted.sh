# The interpreter stays the same when its script gets worse. That must not add a session.

need python3
echo 'for i in range(20000): pass' >w.py
mk_scenario a 'target: { command: [python3, w.py] }' 'measure: { runs: 5 }' 'gates: { page-faults: +5% }'
expect 0 baseline update -q
echo 'x = [str(i) for i in range(200000)]' >w.py
expect 1 run -q
jq '.busy = []' pawl-out/latest/result.json >worse.json
expect 2 baseline update -q --from worse.json
has "$err" 'say why with --reason'
expect 0 baseline update -q --from worse.json --reason 'more strings'
jq '.sessions | length' baselines/a/*.json
expect 0 run -q
