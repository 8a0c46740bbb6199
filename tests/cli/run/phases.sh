# With -v each phase is a line with its seconds. result.json has them per scenario. setup runs once, prepare before every
# run and warm-up, cleanup once at the end. The warm-up does not count.

mk_scenario a <<'YAML'
setup: sleep 0.3
cleanup: sleep 0.2
target: { command: [sleep, "0.1"] }
warmup: { runs: 2 }
measure: { runs: 3 }
gates: { page-faults: +50% }
YAML
expect 0 run -v
for line in 'start (lock, perf, what it can count) took ' '[1/1] a: setup took 0.' '[1/1] a: warm-up took 0.' \
  '[1/1] a: runs took 0.' '[1/1] a: cleanup took 0.' 'report took '; do
  has "$err" "$line"
done
holds '.scenarios[0].phases | .setup_s >= 0.3 and .warm_up_s >= 0.2 and .runs_s >= 0.3 and .cleanup_s >= 0.2'
holds '.scenarios[0].phases | .services_s == 0 and .simulation_s == 0 and .profile_s == 0 and .confirmation_s == 0'
holds '([.scenarios[0].phases[]] | add) <= .elapsed_s + 0.01'
cp pawl-out/latest/result.json "$CASE_DIR/kept/first.json"

# Without -v the phases are not printed, but are stored. A report made again has the same.
mk_scenario order <<'YAML'
setup: echo setup >>order
prepare: echo prepare >>order
cleanup: echo cleanup >>order
target: { command: echo target >>order }
warmup: { runs: 1, command: echo warmup >>order }
measure: { runs: 2 }
YAML
expect 0 run
cat order
holds '.scenarios[1].runs | length == 2'
lacks "$err" ' took '
holds '.scenarios[0].phases.setup_s >= 0.3'
expect 0 report "$CASE_DIR/kept/first.json" --format json
[[ $(result '.scenarios[0].phases' "$out") == "$(result '.scenarios[0].phases' "$CASE_DIR/kept/first.json")" ]] ||
  fail "$(result '.scenarios[0].phases' "$out")"

# In pairs the phases cover the pairs.
mkdir base
cp "$(command -v sleep)" nap
sed -i 's/command: .sleep,/command: [.\/nap,/' scenarios/a.yaml
cp -r scenarios nap base
expect 0 run --base base --measure-identical --runs 12 -v a
has "$err" '[1/1] a: pairs took '
lacks "$err" 'a: runs took '
holds '.scenarios[0].phases.runs_s >= 0.5'
