# Sourced by scripts with several tests. $work is a scratch folder; results are printed as run.sh counts them.
# shellcheck shell=bash

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

ok() { printf 'ok    %s\n' "$1"; }
skip() { printf 'skip  %s: %s\n' "$1" "$2"; }
# fail WORDS [FILE]: FILE, or $work/output, has what was printed.
fail() {
  printf 'FAIL  %s\n' "$1"
  [[ ! -s ${2:-$work/output} ]] || sed 's/^/      | /' "${2:-$work/output}"
  failures=$((failures + 1))
}
