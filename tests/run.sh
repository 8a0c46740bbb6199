#!/bin/bash
# Runs all tests of pawl: unit tests, architecture rules, fuzz corpora, the command line, documents
# and workflows. The last line is `N passed, N failed[, N skipped]`.
# A failed test runs once more, alone; see retry_alone().
#
#   tests/run.sh [--update] [--jobs N] [--list] [NAME...]
#
# NAME selects the tests whose name contains it, such as unit/strbuf, arch/, cli/run/ or docs/.
# --update saves the output and status of a command-line case as its expected output.
# B is the build folder (default: the target of build/pawl, or build/release).
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
. "$here/runner.sh"

readonly RETRIES=12

update='' list='' jobs=$(nproc)
filters=() unsteady=()
while [[ $# -gt 0 ]]; do
  case $1 in
    --update) update=1 ;;
    --list) list=1 ;;
    --jobs) jobs=${2:?--jobs wants a number}; shift ;;
    -h | --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "run.sh: unknown option $1; see --help" >&2; exit 2 ;;
    *) filters+=("$1") ;;
  esac
  shift
done

find_build() {
  local pointed
  pointed=$(readlink "$root/build/pawl") || pointed=release/pawl
  B=${B:-$root/build/$(dirname "$pointed")}
  B=$(cd "$root" && cd "$B" 2>/dev/null && pwd) && [[ -x $B/pawl ]] && return
  echo "run.sh: there is no pawl in ${B:-build/release}: build it with 'make all units'" >&2
  exit 2
}

# Quick tests first: they find most mistakes within seconds. Then scripts with many tests, of a minute or two each: at the
# end one of them would run while the other CPUs have nothing to do. Cases that measure come last.
all_tests() {
  local f
  for f in "$B"/unit/test_*; do [[ -x $f && ${f##*/} != *.* ]] && echo "unit/${f##*/test_}"; done
  for f in "$here"/arch/*.sh; do echo "arch/$(basename "$f" .sh)"; done
  for f in "$here"/fuzz/fuzz_*.c; do f=${f##*/fuzz_}; echo "fuzz/${f%.c}"; done
  for f in "$here"/{workflows,*}/test_*.sh; do f=${f#"$here"/}; echo "${f%.sh}"; done | awk '!seen[$0]++'
  (cd "$here" && find cli -name '*.sh' ! -path cli/lib.sh | sort) | sed 's/\.sh$//'
}

wanted() {
  local filter
  [[ ${#filters[@]} -gt 0 ]] || return 0
  for filter in "${filters[@]}"; do [[ $1 == *"$filter"* ]] && return 0; done
  return 1
}

selected_tests() {
  local name
  while read -r name; do
    if wanted "$name"; then echo "$name"; fi
  done < <(all_tests)
}

# Lists the tests with a FAIL line in their output, in the order of the list.
failing_tests() {
  local name
  while read -r name; do
    ! grep -q '^FAIL  ' "$(log_of "$name")" || echo "$name"
  done <<<"$selected_tests"
}

# A test that measures can fail because other tests run at the same time. If at most RETRIES tests failed, they run
# again one at a time, and the second result counts. The summary names those that pass, so that they can be made
# more robust. If more tests failed, the results stay.
retry_alone() {
  local name failing
  failing=$(failing_tests)
  [[ -n $failing && $(wc -l <<<"$failing") -le $RETRIES ]] || return 0
  printf '\nrunning again, alone:\n'
  for name in $failing; do
    run_test "$name"
    grep -q '^FAIL  ' "$(log_of "$name")" || unsteady+=("$name")
  done
}

count() { cat "$work"/logs/*.log | grep -c "^$1  "; }

summarise() {
  local passed failed skipped
  passed=$(count 'ok  ') failed=$(count FAIL) skipped=$(count skip)
  if [[ ${#unsteady[@]} -gt 0 ]]; then
    printf '\nfailed next to other tests, passed alone:\n'
    printf '  %s\n' "${unsteady[@]}"
  fi
  if [[ $failed -gt 0 ]]; then
    printf '\nfailed:\n'
    cat "$work"/logs/*.log | sed -n 's/^FAIL  /  /p'
  fi
  if [[ $(wc -l <<<"$selected_tests") -ge 10 ]]; then
    printf '\nslowest, in seconds, and seconds of CPU time:\n'
    cat "$work"/logs/*.time | awk '{ printf "%5d %5d  %s\n", $1, $2 + $3, $4 }' | sort -rn | head -n 20
  fi
  echo "$passed passed, $failed failed$([[ $skipped -eq 0 ]] || echo ", $skipped skipped")"
  [[ $failed -eq 0 && $((passed + skipped)) -gt 0 ]]
}

find_build
selected_tests=$(selected_tests)
if [[ -n $list ]]; then
  echo "$selected_tests"
  exit 0
fi
if [[ -z $selected_tests ]]; then
  echo "run.sh: no test is called like that; --list shows them" >&2
  exit 2
fi
make_world
trap end_world EXIT
export B root here work update
xargs -P "$jobs" -I{} bash -c '. "$here/runner.sh" && run_test {}' <<<"$selected_tests" 2>&1
retry_alone
summarise
