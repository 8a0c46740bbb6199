# Compares two folders that are already built. Each side's commands, setup included, run in its own folder.

mk_work 1
cat >>scenarios/work.yaml <<'YAML'
setup: pwd >"${tmp}/where"; cp "${tmp}/where" "${out}/where"; echo "${scenario_dir}" >>"${out}/where"
YAML
sh build.sh >/dev/null
cp -r . "$CASE_DIR/base"
mkdir "$CASE_DIR/elsewhere"
echo 3 >amount
sh build.sh >/dev/null
head=$PWD
cd "$CASE_DIR/elsewhere"
expect 0 run scenarios/work.yaml --base ../base --head "$head" --no-profile --runs 2
has pawl-out/latest/work/where "$head" "$head/scenarios"
has pawl-out/latest/work/base/where "$CASE_DIR/base" "$CASE_DIR/base/scenarios"
holds '.scenarios[0].gates[0] | .verdict == "inconclusive" and .change_pct > 30'
holds '.scenarios[0] | .path == "scenarios/work.yaml" and .pairing.base.label == "../base" and .pairing.base.commit == null'
[[ $(builds) -eq 2 ]] || fail 'something was built'
[[ ! -e $head/pawl-out ]] || fail 'the results lie in the head'

# With the sides swapped it is faster, which is decided, and does not fail.
expect 0 run work --base "$head" --head ../base --no-profile
has "$out" 'IMPROVEMENT work CPU time -'
holds '.scenarios[0].gates[0] | .verdict == "improvement" and .change_pct < -20'

# The same tree on both sides is reported, and too few pairs are inconclusive.
expect 4 run work --base "$head" --head "$head" --no-profile --runs 3 --strict --measure-identical
has "$out" 'INCONCLUSIVE work CPU time ' 'same executable'
holds '.status == 4 and (.scenarios[0].pairs | length) == 3'
