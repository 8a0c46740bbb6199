# Windows on both sides' services run at once on one CPU, with the loads on the others. If they cannot, they take turns.

server_scenario web '' 60 count <<<'gates: { task-clock: default }'
server_scenario lock '' 60 count <<<'gates: { task-clock: default }'
[[ $(nproc) -gt 1 ]] || skip 'this machine has one CPU'
printf '#!/bin/sh\nmkdir "%s/lock" || exit 4\n"$@"\nsleep 0.3\nrmdir "%s/lock"\n' "$TMPDIR" "$TMPDIR" >alone.sh
sed -i 's/command: \[\(python3, ".*client.py"\)/command: [sh, alone.sh, \1/' scenarios/lock.yaml
sed -i "s|$PWD/||" scenarios/*.yaml
cp -r . "$CASE_DIR/base"

expect 0 run web --base ../base --no-profile --runs 2 -v
has "$out" 'both sides at once'
holds '.scenarios[0] | .pairing.way == "together" and .pairing.apart == null and .gates[0].tolerance_pct == 2'
holds '.scenarios[0] | .pairs | all(.base."task-clock" > 0 and .base."wall-time" == null and .head.work == 60)'

expect 0 run web --base ../base --no-profile --runs 1 --pairs in-turn
holds '.scenarios[0] | .pairing.way == "in-turn" and (.pairs | all(.base."wall-time" > 0 and .head.work == 60))'
holds '.scenarios[0].pairing.services == "restarted for each pair, side by side"'

# Loads that need the same lock fail side by side, so they take turns, with restarted services.
expect 0 run lock --base ../base --no-profile --runs 1
holds '.scenarios[0].pairing | .way == "in-turn" and (.apart | contains("beside the other side a window fails") and contains("status 4"))'
tidy || fail "left: $(ls -A "$TMPDIR")"

# One CPU is not enough for the targets and their loads.
need taskset
ends 0 taskset -c "$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')" "$PAWL" run web --base ../base --no-profile --runs 1
holds '.scenarios[0].pairing | .way == "in-turn" and (.apart | contains("there is only one CPU"))'
