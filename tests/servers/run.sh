#!/bin/bash
# pawl with real servers: nginx, redis and PostgreSQL, measured by the scenarios of
# scenarios/servers; under Slurm; and benchmark programs that take long to compile. The last line is `N passed, N failed[, N skipped]`.
#
#   tests/servers/run.sh [NAME...]     only cases whose name contains NAME
#
# A case is CASE.sh in this folder. It prints `ok    WORDS` for each check that held. Its status is 0,
# 77 for a skip with the reason in its last line, or another for a failure. lib.sh has helpers. A case
# runs in a fresh folder, with PAWL, CASE_DIR, TMPDIR and XDG_RUNTIME_DIR as for command-line cases.
# B is the build folder (default: build/release).
# shellcheck disable=SC2154
set -u

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(dirname "$here")
. "$here/runner.sh"

readonly SERVER_SECONDS=420

find_build() {
  B=$(cd "$root" && cd "${B:-build/release}" 2>/dev/null && pwd) && [[ -x $B/pawl ]] && return
  echo "run.sh: there is no pawl in ${B:-build/release}: build it with 'make'" >&2
  exit 2
}

wanted() {
  local filter
  [[ $# -gt 1 ]] || return 0
  for filter in "${@:2}"; do [[ $1 == *"$filter"* ]] && return 0; done
  return 1
}

cases() {
  local name
  for name in "$here"/servers/*.sh; do
    name=$(basename "$name" .sh)
    [[ $name == run || $name == lib ]] || ! wanted "$name" "$@" || echo "$name"
  done
}

# Each `ok` and `skip` line of a case counts as a test. The other output is shown if the case fails.
run_case() {
  local name=servers/$1 dir=$work/$1 status=0
  rm -rf "$dir"
  mkdir -p "$dir"/{project,runtime,tmp,kept}
  chmod 1777 "$dir/tmp"
  (
    cd "$dir/project" || exit
    PAWL=$B/pawl SERVERS=$here/servers CASE_DIR=$dir XDG_RUNTIME_DIR=$dir/runtime TMPDIR=$dir/tmp \
      timeout -k 20 "$SERVER_SECONDS" bash -eu -o pipefail "$here/servers/$1.sh" </dev/null >"$dir/said" 2>&1
  ) || status=$?
  sed -nE "s#^(ok  |skip)  (.*)#\\1  $name: \\2#p" "$dir/said"
  case $status in
    0) ;;
    77) echo "skip  $name: $(tail -n 1 "$dir/said")" ;;
    124 | 137) echo "FAIL  $name: not done after $SERVER_SECONDS s"; quoted "$dir/said" ;;
    *) echo "FAIL  $name"; quoted "$dir/said" ;;
  esac
}

# A failed case runs once more, as the machine may have been busy. The second result counts; the first is shown.
run_twice_at_most() {
  local said
  said=$(run_case "$1")
  if grep -q '^FAIL' <<<"$said"; then
    sed 's/^/first try: /' <<<"$said" >&2
    said=$(run_case "$1")
  fi
  echo "$said"
}

count() { grep -c "^$1  " "$work/log"; }

find_build
cases=$(cases "$@")
[[ -n $cases ]] || { echo 'run.sh: no case is called like that' >&2; exit 2; }
make_world
trap end_world EXIT
# nginx and PostgreSQL are in folders of root's PATH only.
PATH=$PATH:/usr/sbin:/sbin
for name in $cases; do run_twice_at_most "$name"; done | tee "$work/log"
passed=$(count 'ok  ') failed=$(count FAIL) skipped=$(count skip)
echo "$passed passed, $failed failed$([[ $skipped -eq 0 ]] || echo ", $skipped skipped")"
[[ $failed -eq 0 && $((passed + skipped)) -gt 0 ]]
