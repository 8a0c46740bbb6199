# Each side runs the program of its own tree, whichever way the scenario names it.

mk_worker
work_named path '[worker]'
work_named behind-env '[env, A=1, worker]'
work_named absolute-text "\"$PWD/bin/worker --x=$PWD/rounds\""
work_named script "[sh, $PWD/run.sh]"

# compared NAME: the head is four times slower, and each side runs its own program. A few pairs show that.
compared() {
  expect 0 run "$1" --base base --no-profile --no-explain --runs 3
  holds '.scenarios[0] | .gates[0].verdict == "inconclusive" and .gates[0].change_pct > 100 and .pairing.one_program == null'
}
kept=$PATH
PATH=$PWD/bin:$PATH
compared path
holds '.scenarios[0].pairing | .base.executable != .head.executable'
for name in behind-env absolute-text script; do compared $name; done
PATH=$kept
# PATH has a link to the folder from elsewhere.
ln -s "$PWD/bin" "$CASE_DIR/links/bin"
PATH=$CASE_DIR/links/bin:$kept compared path

# Setup is not measured and gets pawl's whole environment, whose variable must also lead to the side's own tree.
mk_scenario setup <<'YAML'
setup: mkdir -p "${tmp}/bin" && cp "$PROJECT_HERE/bin/worker" "${tmp}/bin/worker"
target: { command: ["${tmp}/bin/worker"] }
gates: { task-clock: default, symbols: off }
YAML
PROJECT_HERE=$PWD compared setup
