# If both sides would run one program, pawl compares nothing and says what to do.
# Equal bytes in two trees may pass.

mk_worker
work_named path '[worker]'
work_named installed "[$CASE_DIR/installed/worker]"
mk_scenario variable <<YAML
target: { command: "\"\$WORKER\" 1", environment: { WORKER: "$CASE_DIR/installed/other" } }
gates: { task-clock: default, symbols: off }
YAML
work_named renamed "[$CASE_DIR/installed/other]"
work_named neither '"i=0; while [ $i -lt 100 ]; do i=$((i+1)); done"'
# A file that a program reads is data, not a program of the tree, whatever its name.
echo 'echo 1' >data.sh
chmod +x data.sh
commit_all 'data'
work_named data "[$CASE_DIR/installed/other, ./data.sh]"
work_named cat "\"cat data.sh; $CASE_DIR/installed/other\""
kept=$PATH
sh -c "$(sed 's/^build: //' pawl.yaml)"

# not_compared NAME WORDS...: status 0, nothing was compared, and the report has the WORDS.
not_compared() {
  local name=$1
  shift
  expect 0 run "$name" --base base --no-profile
  first_line_has "$out" 'NOTHING WAS COMPARED'
  has "$out" "$@"
  lacks "$out" 'not slower' 'pawl doctor'
  holds '.scenarios[0] | .gates[0].verdict == "not-measured" and (.gates[0].reason | contains("inside the project") or contains("start ./"))'
  holds '.scenarios[0] | (.pairs | length) == 1 and .pairing.one_program == .gates[0].reason'
}

# The program is installed elsewhere, so both sides would run it.
cp bin/worker "$CASE_DIR/installed/worker"
cp bin/worker "$CASE_DIR/installed/other"
not_compared installed "$CASE_DIR/installed/worker, which is in neither tree" 'the project makes bin/worker' 'start ./bin/worker'
PATH=$CASE_DIR/installed:$kept not_compared path 'the project makes bin/worker'
not_compared renamed "$CASE_DIR/installed/other, which is in neither tree"
not_compared variable "$CASE_DIR/installed/other, which is in neither tree"
if command -v strace >/dev/null; then
  not_compared data "$CASE_DIR/installed/other, which is in neither tree"
  not_compared cat "$CASE_DIR/installed/other, which is in neither tree"
fi
not_compared neither 'names no program or file of the project'
expect 4 run installed --base base --no-profile --strict
sed -i 's/task-clock: default/task-clock: { max-increase: 3%, required: true }, max-rss: { max: 1GiB }/' scenarios/installed.yaml
expect 3 run installed --base base --no-profile
holds '[.scenarios[0].gates[].verdict] == ["not-measured", "pass"]'
expect 3 report --format text pawl-out/latest/result.json
has "$out" 'in neither tree'

# In a bisection such a commit is skipped (125).
expect 125 run installed --base base --bisect

# The same commit on both sides may run one program.
work_named installed "[$CASE_DIR/installed/worker]"
commit_all 'scenarios'
expect 0 run installed --base HEAD --measure-identical --no-profile --runs 2
holds '.scenarios[0].pairing | .one_program == null and .base.executable == .head.executable'
# Another commit whose program has the same bytes, in its own tree, may pass.
echo words >README
commit_all 'words'
export PATH=$PWD/bin:$kept
expect 0 run path --base HEAD~1 --measure-identical --no-profile --runs 2
has "$out" 'both sides run the same executable'
holds '.scenarios[0] | .pairing.one_program == null and .gates[0].verdict == "inconclusive"'

# A build that leaves out the changed source gets a warning in every format.
echo 'extern int unused;' >>src/work.c
commit_all 'a declaration'
GITHUB_ACTIONS=true expect 0 run path --base HEAD~1 --no-profile --runs 2
has "$out" 'base and head are the same binary (worker) although src/work.c changed'
has "$err" '::warning title=note::path: base and head are the same binary (worker)'
lacks "$out" 'both sides run the same executable'
holds '.scenarios[0].pairing.unchanged as $why | .notes == ["path: " + $why]'
