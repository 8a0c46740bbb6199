#!/bin/bash
# README and docs/: runs every example, and compares the documented keys, metrics and
# options with the program. CONTRIBUTING.md describes how to mark an example.
#
#   tests/docs/test_docs.sh [DOCUMENT...]     default: all
#
# PAWL is the binary to run (default build/pawl).
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
pawl=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$here/../results.sh"
documents=()
for document in "$@"; do documents+=("$(readlink -f "$document")"); done
[[ $# -gt 0 ]] || mapfile -t documents < <(printf '%s\n' "$root"/{README,CONTRIBUTING,SECURITY}.md; find "$root/docs" -name '*.md' | grep -v '/docs/research/' | sort)

# expect WORDS COMMAND...: COMMAND succeeds; its output is shown only if it fails.
expect() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1; then ok "docs: $words"; else fail "docs: $words"; fi
}

# The examples run in a project of their own, without the caller's settings.
unset "${!GITHUB_@}" "${!PAWL_@}" "${!GIT_@}" CI
export HOME=$work XDG_RUNTIME_DIR=$work PATH=$work/bin:$PATH LC_ALL=C.UTF-8
mkdir "$work/bin"
ln -s "$pawl" "$work/bin/pawl"

new_project() {
  rm -rf "$work/project"
  mkdir -p "$work/project/scenarios"
  cd "$work/project" || exit
  git init -q .
}

name_of() { sed -n 's/^name: *//p' "$1"; }
add_scenario() {
  local name
  name=$(name_of "$1")
  cp "$1" "scenarios/${name:-small}.yaml"
}

check_scenario() { new_project && add_scenario "$1" && pawl check; }
check_config() { new_project && cp "$1" pawl.yaml && mkdir -p bench/scenarios &&
  printf 'version: 1\ntarget: { command: "true" }\n' >bench/scenarios/small.yaml && pawl check; }
check_workflow() { python3 "$root/tests/workflows/job.py" check "$1"; }
check_baseline() {
  new_project && printf 'version: 1\ntarget: { command: "true" }\n' >scenarios/small.yaml || return
  local folder file
  folder=baselines/$(jq -r .scenario "$1") file=$(jq -r .class "$1").json
  mkdir -p "$folder" && cp "$1" "$folder/$file" && [[ $(pawl check | tail -n 1) == '1 scenario and 1 baseline: no faults' ]]
}

# check_console FILE RUN: gives RUN each `$ command` of FILE, and the lines below it.
check_console() {
  local line command='' expected=''
  while IFS= read -r line; do
    if [[ $line != '$ '* ]]; then
      expected+=$line$'\n'
      continue
    fi
    [[ ! $command ]] || "$2" "$command" "$(printf '%s' "$expected")" || return
    command=${line#'$ '} expected=''
  done <"$1"
  "$2" "$command" "$(printf '%s' "$expected")"
}

# exactly COMMAND EXPECTED: COMMAND succeeds, and prints EXPECTED if that is not empty.
exactly() {
  local got
  got=$(bash -o pipefail -c "$1" 2>&1) || { printf '$ %s\n%s\nstatus %d\n' "$1" "$got" $?; return 1; }
  [[ ! $2 || $got == "$2" ]] || { printf '$ %s\nexpected: %s\ngot: %s\n' "$1" "$2" "$got"; return 1; }
}

# roughly COMMAND EXPECTED: the same of what measures: its standard output is like EXPECTED (see documents.py).
roughly() {
  local got status
  got=$(bash -o pipefail -c "$1" 2>"$work/stderr")
  status=$?
  [[ $status -eq 0 ]] || { printf '$ %s\nstatus %d\n' "$1" "$status"; cat "$work/stderr"; return 1; }
  [[ ! $2 ]] || python3 "$here/documents.py" alike "$2" "$got" || { printf '$ %s\nexpected: %s\ngot: %s\n' "$1" "$2" "$got"; return 1; }
}

# Runs an example in a project with the document's scenarios, or with a small one. Profiles would take minutes.
run_console() {
  local scenario
  new_project
  for scenario in "$(dirname "$1")"/*.scenario; do
    [[ ! -e $scenario || $scenario > $1 ]] || add_scenario "$scenario"
  done
  for scenario in scenarios/*.yaml; do
    [[ ! -e $scenario ]] || grep -q '^profile:' "$scenario" || printf '\nprofile: { kinds: [] }\n' >>"$scenario"
  done
  [[ $(ls scenarios) ]] ||
    printf 'version: 1\ntarget: { command: "true" }\nmeasure: { runs: 3 }\nprofile: { kinds: [] }\n' >scenarios/small.yaml
  check_console "$1" exactly
}

# The files and commands of a document's session are written and run in one folder, in the document's order.
in_session() { mkdir -p "$1/session" && cd "$1/session"; }
check_file() { in_session "$(dirname "$1")" && mkdir -p "$(dirname "$2")" && cp "$1" "$2"; }

check_session() {
  in_session "$(dirname "$1")" && git config --global user.name you && git config --global user.email you@localhost &&
    check_console "$1" roughly
}

pawl help --all >"$work/help"
mapfile -t commands < <(sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' "$work/help")
for command in "${commands[@]}"; do pawl help --all "$command" >>"$work/help"; done
expect 'links lead somewhere; keys, metrics, options and statuses are those of the program' \
  python3 "$here/documents.py" faults "$root" "$work/help" "${documents[@]}"

expect 'the README has at most 900 words' test "$(wc -w <"$root/README.md")" -le 900
if ! python3 "$here/documents.py" examples "$work" "${documents[@]}" >"$work/examples" 2>"$work/output"; then
  fail 'docs: the examples can be read'
fi
# Without examples the test would always pass.
[[ $# -gt 0 || $(wc -l <"$work/examples") -ge 8 ]] || { cp "$work/examples" "$work/output"; fail 'docs: there are examples'; }

while IFS=$'\t' read -r kind where path name; do
  case $kind in
    console | baseline)
      if ! command -v jq >/dev/null; then skip "docs: $kind at $where" 'jq is not installed'; continue; fi ;;
  esac
  case $kind in
    console) expect "$kind at $where" run_console "$path" ;;
    *) expect "$kind at $where" "check_$kind" "$path" "$name" ;;
  esac
done <"$work/examples"

[[ $failures -eq 0 ]]
