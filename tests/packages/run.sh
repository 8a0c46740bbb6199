#!/bin/bash
# Tries what a release publishes. The last line is `N passed, N failed[, N skipped]`.
#
#   tests/packages/run.sh [NAME...]     only scripts whose name contains NAME
#
# Each test_NAME.sh of this folder prints its results, here with its name. Clones and bare systems are in build/packages,
# which is removed unless something failed.
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clones=$here/../../build/packages
log=$(mktemp)
trap 'rm -f "$log"' EXIT

wanted() {
  local filter
  [[ $# -gt 1 ]] || return 0
  for filter in "${@:2}"; do [[ $1 == *"$filter"* ]] && return 0; done
  return 1
}

# run NAME: runs a script. One that ends early has failed.
run() {
  local began=$SECONDS status said
  PAWL_TEST_PACKAGES=1 "$here/test_$1.sh" </dev/null 2>&1 | tee "$log.one" | sed -uE "s#^(ok    |skip  |FAIL  )#\1$1: #"
  status=${PIPESTATUS[0]}
  said=$(grep -c '^FAIL' "$log.one")
  [[ $status -eq 0 || $said -gt 0 ]] || echo "FAIL  $1: ended with status $status"
  echo "      $1 took $((SECONDS - began)) s"
  rm -f "$log.one"
}

count() { grep -c "^$1  " "$log"; }

rm -rf "$clones"
for test in "$here"/test_*.sh; do
  name=$(basename "$test" .sh)
  name=${name#test_}
  ! wanted "$name" "$@" || run "$name"
done | tee "$log"
passed=$(count 'ok  ') failed=$(count FAIL) skipped=$(count skip)
[[ $failed -gt 0 ]] || rm -rf "$clones"
echo "$passed passed, $failed failed$([[ $skipped -eq 0 ]] || echo ", $skipped skipped")"
[[ $failed -eq 0 && $passed -gt 0 ]]
