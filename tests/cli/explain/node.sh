# For a JavaScript program the cause names the function, its place and the changed line. Node writes its perf map only
# in recorded runs, and pawl removes it.

need node perf
cat >shop.js <<'JS'
'use strict';
function find(items, key) {
  let found = 0;
  for (let turn = 0; turn < 1; turn++)
    for (let i = 0; i < items.length; i++) if (items[i].key === key) found = items[i].sum;
  return found;
}
function main() {
  const items = [];
  for (let i = 0; i < 400; i++) items.push({ key: i * 7, sum: i });
  let sum = 0;
  for (let i = 0; i < 60000; i++) sum += find(items, (i % 400) * 7);
  require('fs').appendFileSync(process.env.SEEN, `${process.env.NODE_OPTIONS || 'plain'}\n`);
  console.log(sum);
}
main();
JS
mk_scenario shop <<'YAML'
target: { command: [node, --max-inlined-bytecode-size=0, shop.js], environment: { SEEN: "${tmp}/seen" } }
cleanup: cp "${tmp}/seen" seen
measure: { runs: 5, budget: 60s }
gates: { task-clock: +15% }
YAML
mk_repo
sed -i 's/turn < 1/turn < 6/' shop.js
maps() { find /tmp -maxdepth 1 -name 'perf-*.map' -newer scenarios -exec grep -lF "$PWD/shop.js" {} +; }
expect 1 run shop --base HEAD --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "find" and .place == "shop.js:2" and (.changed | startswith("shop.js:4: "))'
has "$out" 'find (shop.js:2)'
holds '[.scenarios[0].evidence[] | select(contains("made while it runs"))] | length == 1'
grep -q -- '--perf-basic-prof' seen || fail 'Node was not asked'
[[ $(grep -c plain seen) -ge 10 ]] || fail 'runs that are counted were asked as well'
[[ -z $(maps) ]] || fail "left behind: $(maps)"
[[ $(git status --short) == $' M shop.js\n?? seen' ]] || fail "left behind: $(git status --short)"
