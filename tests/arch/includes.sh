# Knowledge runs one way: a folder of src includes only from itself and the folders it may know.
# The same drawing is in CONTRIBUTING.md.
# shellcheck shell=bash
set -eu

allowed() {
  case $1 in
    base) echo base ;;
    stats) echo base stats ;;
    model) echo base stats model ;;
    scenario) echo base stats model scenario ;;
    profile) echo base stats model scenario profile ;;
    store) echo base stats model scenario profile store ;;
    gate) echo base stats model scenario profile store gate ;;
    report) echo base stats model scenario profile store gate report ;;
    measure) echo base stats model scenario measure ;;
    cmd | main.c) echo base stats model scenario profile store gate report measure cmd ;;
    *) echo "src/$1 has no place in the drawing: give it one here and in CONTRIBUTING.md" >&2; return 1 ;;
  esac
}

# Lines FILE INCLUDED of every include in quotes.
includes() { grep -HoE '^ *# *include *"[^"]*"' "$@" | sed -E 's/:[^"]*"([^"]*)"/ \1/'; }

faults=0
fault() {
  echo "$*"
  faults=$((faults + 1))
}

check() {
  local folder=$1 file included may
  shift
  may=" $(allowed "$folder") " || { faults=$((faults + 1)); return; }
  while read -r file included; do
    [[ -f src/$included ]] || fault "$file: includes \"$included\"; write it as \"folder/file.h\", seen from src"
    [[ $may == *" ${included%%/*} "* ]] || fault "$file: src/$folder may not know of $included"
  done < <(includes "$@")
}

for folder in src/*/; do
  folder=$(basename "$folder")
  check "$folder" src/"$folder"/*.[ch]
done
check main.c src/main.c

# The test itself: an include the wrong way must be found.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo '#include "gate/judge.h"' >"$scratch/x.c"
before=$faults
check stats "$scratch/x.c" >/dev/null
[[ $faults -gt $before ]] || { echo 'an include the wrong way was not found'; exit 1; }
exit $((before > 0))
