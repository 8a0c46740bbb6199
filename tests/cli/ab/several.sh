# All gates of a suite share the error, whichever are selected. A faulty file does not stop the others.
# The budget ends pairs early.

mk_work 1
sh build.sh >/dev/null
for i in 1 2 3; do
  mk_scenario s$i <<'YAML'
target: { command: [./work] }
tags: [some]
gates: { task-clock: default, page-faults: default, max-rss: { max: 1GiB } }
YAML
done
echo 'zoom: 1' >scenarios/faulty.yaml
expect 0 run s1 --base . --no-profile --runs 1
# Two gates of each scenario and one of `work`. A max gate needs no pairs.
holds '.scenarios[0].pairing.gates == 7'
note='scenarios/faulty.yaml has faults: its gates are not counted among those that share the error'
holds ".notes == [\"$note\"]"
has "$out" 'scenarios/faulty.yaml has faults'
# An unreadable file is not counted either.
mkdir scenarios/folder.yaml
expect 0 run scenarios/s1.yaml --base . --no-profile --runs 1
holds '.scenarios[0].pairing.gates == 7 and (.notes | length) == 2 and (.notes | any(startswith("scenarios/folder.yaml ")))'
rm -r scenarios/faulty.yaml scenarios/folder.yaml
expect 0 run --base . --no-profile --runs 2 --tag some
holds '[.scenarios[].name] == ["s1", "s2", "s3"] and ([.scenarios[].pairing.gates] | unique) == [7]'
# A budget too small for a first look gives some pairs and no verdict.
expect 4 run s1 s2 --base . --no-profile --strict --budget 100ms
holds '.scenarios | map((.pairs | length) > 0 and (.pairs | length) < 10 and (.notes | any(contains("the budget of 0.1 s"))) and .gates[0].verdict == "inconclusive") | all'
# The floor comes from the scenario.
sed -i '1ameasure: { floor: 2% }' scenarios/s1.yaml
expect 0 run s1 --base . --no-profile --runs 1
holds '.scenarios[0].pairing.floor_pct == 2'
has "$out" 'rerun    pawl run s1 --base . --no-profile --runs '
