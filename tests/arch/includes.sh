# Dependencies point one way: a folder of src includes only from itself and the folders it may depend on.
# shellcheck shell=bash
set -eu

. "$(dirname "${BASH_SOURCE[0]}")/drawing"

# Prints a line FILE INCLUDED for every include in quotes.
includes() { grep -HoE '^ *# *include *"[^"]*"' "$@" | sed -E 's/:[^"]*"([^"]*)"/ \1/'; }

faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}

check() {
  local folder=$1 file included may
  shift
  may=" $(allowed "$folder" | tr -s '\n ' ' ') " || { faults=$((faults + 1)); return; }
  while read -r file included; do
    [[ $included != embedded/* ]] || continue
    [[ -f src/$included ]] || fault "$file: includes \"$included\"; write it as \"folder/file.h\", seen from src"
    [[ $may == *" ${included%/*} "* ]] || fault "$file: src/$folder may not know of $included"
  done < <(includes "$@")
}

while read -r folder; do
  files=$(find "src/$folder" -maxdepth 1 -name '*.[ch]')
  # shellcheck disable=SC2086
  [[ -z $files ]] || check "$folder" $files
done < <(cd src && find . -type d | sed 's|^\./||')

# Checks the test itself: it must find an include the wrong way.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo '#include "judge/judge.h"' >"$scratch/x.c"
before=$faults
check stats "$scratch/x.c" >/dev/null
[[ $faults -gt $before ]] || { echo 'an include the wrong way was not found'; exit 1; }
exit $((before > 0))
