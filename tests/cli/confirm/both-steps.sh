# A time that stored runs flag is measured again, in pairs, against a base built here. A slower program is confirmed.
# A slower machine is not.

mk_spin 80 'task-clock: +25%'
accepted=$(git rev-parse --short=12 HEAD)
PAWL_CACHE_SIZE=0 expect 0 baseline update spin --no-profile

commit_all 'accept spin'

# The program does six times as much work. The result has both steps.
respin 480
expect 1 run spin --no-profile --no-explain -v
holds '.scenarios[0].gates[0] | .verdict == "regression" and .pairs >= 10 and .stored.verdict == "regression" and .low_pct > 200'
holds '.scenarios[0].pairs | length >= 10'
has "$out" "$accepted"
has "$err" 'confirming 1 scenario in pairs against'

# A commit with the slow program also touches the baseline, but only its reason. It is not the accepted commit.
sed -i 's/"reason": null/"reason": "the first one"/' baselines/spin/*.json
git diff --quiet baselines && fail 'the reason was not changed'
commit_all 'slow, and a reason for the baseline'
expect 1 run spin --no-profile --no-explain -v
has "$out" "$accepted"
holds '.scenarios[0].gates[0] | .verdict == "regression" and .pairs >= 10'

# --no-confirm stops after the stored comparison.
expect 1 run spin --no-profile --no-confirm
holds '.scenarios[0].gates[0] | .verdict == "regression" and (.pairs // 0) == 0 and .stored == null'

# Compared with a tree that is equally slow, the program has no regression.
mkdir ../same
cp spin ../same/
echo 'zoom: 1' >scenarios/faulty.yaml
expect 0 run spin --no-profile --measure-identical --base ../same
holds '.notes | any(startswith("scenarios/faulty.yaml has faults: its gates are not counted"))'
rm scenarios/faulty.yaml
holds '.scenarios[0].gates[0] | .verdict == "pass" and .pairs >= 6'

# Here the machine is slower: the baseline's times are an eighth of what the same program takes.
echo 80 >rounds
jq '(.sessions[].metrics["task-clock"] // empty) |= map(. / 8)' baselines/spin/*.json >fast.json
mv fast.json "$(echo baselines/spin/*.json)"
commit_all 'a machine that was eight times as fast'
respin 80
expect 0 run spin --no-profile
holds '.scenarios[0].gates[0] | .verdict == "pass" and .pairs >= 6 and .stored.verdict == "regression"'
