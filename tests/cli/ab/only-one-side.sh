# A scenario on one side only is compared if the base can run it, and is new otherwise. The report says so either way.

mk_work 1
sh build.sh >/dev/null
cp -r . "$CASE_DIR/base"
mv "$CASE_DIR/base/scenarios/work.yaml" "$CASE_DIR/base/scenarios/old.yaml"
cp work added
mk_scenario added 'target: { command: [./added] }' 'gates: { task-clock: default, max-rss: { max: 1GiB } }'
expect 0 run --base ../base --no-profile --runs 1
has "$out" 'scenario old is in the base only' 'the base has no such scenario'
holds '.scenarios[] | select(.name == "added") | .state == "measured" and .gates[0].verdict == "new"'
holds '.scenarios[] | select(.name == "added").gates[0].reason | contains("the base has no such scenario")'
holds '.scenarios[] | select(.name == "work") | (.pairs | length) == 1 and (.notes | any(contains("the base has no such scenario")))'
expect 4 run added --base ../base --no-profile --strict
expect 2 run old --base ../base
has "$err" "there is no scenario 'old'"

# Both sides have the scenario, but the base's file has faults: a failure.
echo 'zoom: 1' >../base/scenarios/added.yaml
expect 3 run added --base ../base --no-profile

# Both sides have the scenario, but the base cannot run it: a failure.
cp scenarios/added.yaml ../base/scenarios
expect 3 run added --base ../base --no-profile
has "$out" 'base: '
holds '.scenarios[0].state == "failed" and (.scenarios[0].failure | startswith("base: "))'
