# Pairs decide if stored runs cannot, or if the CPU model differs, and the base can be built.

mk_spin 80 'task-clock: +80%'
echo '// not committed' >>spin.c
export PAWL_MACHINE=model-a
PAWL_CACHE_SIZE=0 expect 0 baseline update spin --no-profile
commit_all 'accept spin'
accepted=$(git rev-parse --short=12 HEAD)

# Sessions that differ sixteenfold make every stored verdict inconclusive. Pairs decide.
jq '.sessions |= [(.[0], .[0], .[0])] |
  reduce (0, 1, 2) as $i (.; .sessions[$i].metrics["task-clock"] |= map(. * ([0.25, 1, 4][$i])))' baselines/spin/*.json >wide.json
mv wide.json "$(echo baselines/spin/*.json)"
commit_all 'sessions that differ'
expect 0 run spin --no-profile --no-confirm
holds '.scenarios[0].gates[0].verdict == "inconclusive"'
expect 0 run spin --no-profile -v
holds '.scenarios[0].gates[0] | .verdict == "pass" and .pairs >= 6 and .stored.verdict == "inconclusive"'
tr -s ' \n' ' ' <"$out" >"$CASE_DIR/kept/line"
has "$CASE_DIR/kept/line" "which is inconclusive; in pairs with the baseline's commit ($accepted): "

# Without a way to build the base, one note says so.
mv pawl.yaml away
expect 0 run spin --no-profile
holds '.scenarios[0].notes | map(select(contains("stored times cannot decide, and were not compared in pairs instead: pawl.yaml"))) | length == 1'
mv away pawl.yaml

# On another CPU model base and head are measured here in pairs.
respin 480
PAWL_MACHINE=model-b expect 1 run spin --no-profile --no-explain -v
first_line_has "$out" 'REGRESSION spin '
lacks "$out" 'NOT MEASURED' 'NOTHING WAS COMPARED'
tr -s ' \n' ' ' <"$out" >"$CASE_DIR/kept/line"
has "$CASE_DIR/kept/line" "task-clock: the baseline is of another machine class, $(result '.scenarios[0].baseline_class'); compared in pairs instead, with the baseline's commit ($accepted): +"
holds '.scenarios[0].gates[0] | .pairs >= 6 and .stored.verdict == "not-measured"'

# The gate on symbols uses a profile of the base taken here, even without a regression.
sed -i '/^profile/d; /^gates/s/.*/gates: { task-clock: +80%, symbols: { rise: 20pp } }/' scenarios/spin.yaml
echo 'profile: { frequency: 4999, duration: 9s, samples: 3000 }' >>scenarios/spin.yaml
respin 80
commit_all 'as fast as before, and its symbols gated'
PAWL_MACHINE=model-b expect 0 run spin
holds '[.scenarios[0].gates[] | select(.metric == "symbols") | .verdict != "not-measured"] == [true]'
