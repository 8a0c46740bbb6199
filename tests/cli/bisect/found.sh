# The commit that made the program two times slower is found, across a merge, an interrupt and a start from a changed file.
. "$LIB"
need jq
mk_program 10
mk_scenario work <<'YAML'
target: { command: ./work }
profile: { duration: 1s }
gates: { task-clock: +10% }
YAML
mk_repo
git checkout -q -b side
echo '/* beside */' >>work.c
commit_all 'on a branch'
git checkout -q main
git commit -q --allow-empty -m 'one'
git merge -q --no-ff -m 'a merge' side
mk_program 20
commit_all 'a "slow" one'
slow=$(git rev-parse HEAD) before=$(git rev-parse HEAD~1)
git commit -q --allow-empty -m 'three'

# Interrupted once the first comparison is stored.
env --default-signal=INT "$PAWL" bisect work --good HEAD~4 >"$out" 2>"$err" &
pawl=$!
for ((i = 0; i < 600; i++)); do
  compgen -G 'pawl-out/bisect-*.json' >/dev/null && break
  sleep 0.1
done
kill -INT "$pawl"
status=0
wait "$pawl" || status=$?
[[ $status -eq 130 ]] || { show_kept; fail "status $status"; }
has "$err" 'the same command goes on after 1 comparison'
state=$(compgen -G 'pawl-out/bisect-*.json')

# What was stored for something else is not used, and that is said.
unused() {
  env --default-signal=INT "$PAWL" bisect work --good HEAD~4 --out other >"$out" 2>"$err" &
  pawl=$!
  eventually grep -qF -- "$1" "$err"
  kill -INT "$pawl"
  wait "$pawl" || true
}
mkdir other
sed 's/"text": "[^"]*"/"text": "fnv1a:0"/' "$state" >other/bisect.json
unused 'bisect.json is not used: the scenario, pawl.yaml or the options have changed since'
sed 's/"pawl": "[^"]*"/"pawl": "0.0.0"/' "$state" >other/bisect.json
unused 'is not used: another pawl made it'
sed 's/"class": "[^"]*"/"class": "z80-1cpu-sw"/' "$state" >other/bisect.json
unused 'is not used: it was measured on another machine'
echo '{' >other/bisect.json
unused 'is not used: expected'

expect 0 bisect work --good HEAD~4
has "$err" 'going on with the search stored in ' '1 comparison is done'
first_line_has "$out" "FIRST BAD: work is slower since ${slow:0:12} \"a \"slow\" one\""
has "$out" "$slow" 'Pawl Tests' 'the whole change' \
  "see it again: pawl ab work --base-ref ${before:0:12} --head-ref ${slow:0:12} --seed "
holds '.mode == "paired" and .scenarios[0].gates[0].verdict == "regression"'
holds ".commit == \"${slow:0:12}\""
has pawl-out/latest/report.html "<title>FIRST BAD: work is slower since ${slow:0:12} " "commit ${slow:0:12}" 'id="search"'
lacks "$out" 'other commits have their part'

# It is found already; nothing is measured again.
expect 0 bisect work --good HEAD~4 --json
holds ".outcome == \"first-bad\" and .status == 0 and .commits == 4 and [.suspects[].commit] == [\"$slow\"] and
  .found.base == \"$before\" and .found.state == \"bad\" and .explains_pct > 60 and .explains_pct < 160 and .pairs >= 30" "$out"

if [[ -s pawl-out/latest/work/stacks.folded ]]; then
  [[ -s pawl-out/latest/work/diff.svg ]] || fail 'there is no picture of the difference'
  has "$out" '"difference": true'
fi
