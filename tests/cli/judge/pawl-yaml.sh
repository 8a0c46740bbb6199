# No key of pawl.yaml lets a change choose its judge. The base's pawl.yaml counts.

mk_judged
slower
# attack KEY: prints a pawl.yaml that abuses KEY. Every new key needs a line here.
attack() {
  mkdir -p other
  case $1 in
    build) echo 'build: "true"' ;;
    base) echo 'base: HEAD' ;;
    scenarios) echo 'scenarios: other' && sed 's/^measure/gates: { page-faults: off }\nmeasure/' scenarios/a.yaml >other/a.yaml ;;
    baselines) echo 'baselines: other' ;;
    out) echo 'out: other' ;;
    measure) echo 'measure: { floor: 900%, runs: 1, counters: sim, budget: 1ms }' ;;
    profile) echo 'profile: { kinds: [cpu], duration: 1s }' ;;
    gates) echo 'gates: { task-clock: off, instructions: off, symbols: off, page-faults: +900% }' ;;
    *) fail "no attack is known by the key $1" ;;
  esac >pawl.yaml
}
echo 'no-key: 1' >pawl.yaml
"$PAWL" check 2>"$err" && fail 'an unknown key is taken'
keys=$(sed -n 's/.*the keys here are //p' "$err" | tr -d ,)
[[ $(wc -w <<<"$keys") -ge 7 ]] || fail "these are the keys: $keys"
for key in $keys; do
  attack "$key"
  caught 'this change edits pawl.yaml'
  git clean -qfd
  git checkout -q pawl.yaml
done
rm pawl.yaml
caught 'this change removes pawl.yaml'
# With --judge the commit judges as well.
printf 'gates: { page-faults: off }\n' >pawl.yaml
expect 1 run --judge HEAD
judge_says 'this change edits pawl.yaml: what judged are the files of HEAD'
