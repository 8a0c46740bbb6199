# A change's own baselines accept a regression only with --accept, and only the one they describe.

mk_judged
slower
base=$(cat baselines/a/*.json)
expect 0 baseline update --reason 'nine programs are needed now'
own=$(ls baselines/a/*.json)
accepted=$(cat "$own")

echo -- without --accept the regression stands, and the step is named
caught "this change edits $own"
has pawl-out/latest/junit.xml "own baseline, $own, accepts it, but counts only with --accept"

echo -- with it
pull 0 run --accept
first_line_has "$out" accepted
lacks "$out" REGRESSION
holds '.scenarios[0].gates[0].verdict == "accepted" and .status == 0'
holds '.scenarios[0].gates[0].reason | test("accepted by this change.s own baseline, baselines/a/")'
pull 0 run --base origin/main --accept --no-explain --runs 12
holds '.mode == "paired" and .scenarios[0].gates[0].verdict == "accepted"'

echo -- what they do not describe is not accepted: another number, another scenario, damage
jq '.sessions[0].metrics["page-faults"] |= map(1000000)' <<<"$accepted" >"$own"
pull 1 run --accept
jq '.scenario = "b"' <<<"$accepted" >"$own"
pull 1 run --accept
has pawl-out/latest/junit.xml "own baseline does not count: $own is not of this scenario"
echo '{}' >"$own"
pull 1 run --accept
has pawl-out/latest/junit.xml 'own baseline does not count: '
echo "$base" >"$own"
pull 1 run --accept
rm "$own"
pull 1 run --accept
echo "$accepted" >"$own"

echo -- a link does not lead to another
mv "$own" x.json
ln -s ../../x.json "$own"
pull 1 run --accept

echo -- where the tree judges itself there is nothing to accept
git checkout -q HEAD -- baselines pawl.yaml
expect 1 run --accept
