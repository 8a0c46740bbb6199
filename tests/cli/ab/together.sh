# Both sides of a pair run at once on one CPU if they can, and in turn for metrics which that does not measure.

need python3
cat >spin.py <<'PY'
import sys
for i in range(int(sys.argv[1]) * 500000): pass
PY
echo 'measure: { runs: 3 }' >pawl.yaml
mk_scenario cpu 'target: { command: [python3, spin.py, "1"] }' 'gates: { task-clock: default }'
mk_scenario wall 'target: { command: [python3, spin.py, "1"] }' 'gates: { task-clock: +900%, wall-time: +900% }'
mk_scenario lock <<'YAML'
target: { command: mkdir "$$TMPDIR/lock" && python3 spin.py 1 && rmdir "$$TMPDIR/lock" }
gates: { task-clock: default }
YAML

mk_scenario short <<'YAML'
target:
  command: echo run >>runs && sleep 0.2 && test $$(wc -l <runs) -le 4
gates: { task-clock: default }
YAML

expect 0 run cpu --measure-identical --base . --runs 2 -v
has "$out" 'both sides at once'
holds '.scenarios[0] | .pairing.way == "together" and .pairing.apart == null'
holds '.scenarios[0] | .pairs | all(.base."task-clock" > 0 and .base."wall-time" == null and .head."page-faults" > 0)'
holds '.scenarios[0].gates[0].tolerance_pct == 2'

expect 0 run cpu --measure-identical --base . --runs 2 --pairs in-turn -v
lacks "$out" 'at once'
holds '.scenarios[0] | .pairing.way == "in-turn" and .gates[0].tolerance_pct == 3'
holds '.scenarios[0].pairs | all(.base."wall-time" > 0)'

# A gate on wall time has runs of its own in each pair.
expect 0 run wall --measure-identical --base . --runs 2
holds '.scenarios[0] | .pairing.way == "together-and-in-turn" and (.pairs | all(.head."wall-time" > 0 and .head."task-clock" > 0))'

# A command that cannot run next to the other side takes turns, and the report says why.
expect 0 run lock --measure-identical --base . --runs 2
holds '.scenarios[0].pairing | .way == "in-turn" and (.apart | contains("beside the other side a run fails") and contains("status 1"))'

# Without a result no report says how pairs were taken. Each side has one warm-up, and both are tried at once.
expect 3 run short --measure-identical --base . --runs 2 -v
lacks "$out" 'at once'
holds '.scenarios[0] | .failure != null and (.pairs | length) == 0 and .pairing.way == "together"'
tidy || fail "left: $(ls -A "$TMPDIR")"
