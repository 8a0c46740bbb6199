# An inconclusive time has neither a cause nor a picture of one. A regression has both.

mk_burner
mk_scenario a <<YAML
target: { command: [./burner, "30"] }
warmup: { runs: 0 }
measure: { runs: 5 }
profile: { samples: 150, duration: 3s }
gates: { task-clock: +300% }
YAML
expect 0 baseline update
cp baselines/a/*.json narrow.json
# Sessions that differ sixteenfold make every verdict inconclusive.
jq '.sessions |= [(.[0], .[0], .[0])] |
  reduce (0, 1, 2) as $i (.; .sessions[$i].metrics["task-clock"] |= map(. * ([0.25, 1, 4][$i])))' narrow.json >wide.json
cp wide.json "$(echo baselines/a/*.json)"
sed -i 's/"30"/"60"/' scenarios/a.yaml
expect 0 run
profiled a
holds '[.scenarios[0].gates[] | select(.metric == "task-clock") | .verdict] == ["inconclusive"]'
[[ ! -e $folder/diff.svg ]] || fail 'there is a picture of what nobody can tell'
holds '[.scenarios[0].explanation[] | select(contains("costs"))] == []'
lacks "$out" 'more per run' a/diff.svg

sed -i 's/+300%/+50%/; s/"60"/"200"/' scenarios/a.yaml
cp narrow.json "$(echo baselines/a/*.json)"
expect 1 run
profiled a
[[ -e $folder/diff.svg ]] || fail 'there is no picture of a regression'
grep -Eq 'class="f r[1-9]' "$folder/diff.svg" || fail 'it is not coloured'
holds '[.scenarios[0].explanation[] | select(contains("more per run"))] != []'
