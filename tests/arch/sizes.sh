# Files under 500 lines, functions under 80. The style puts a function's braces in the first column.
# shellcheck shell=bash
set -eu

measure() {
  awk '
    FNR == 1 { start = 0 }
    FNR == 500 { print FILENAME ": 500 lines or more; split it" }
    /^[a-zA-Z_].*\)$/ || /^[a-zA-Z_].*, *$/ { head = head == 0 ? FNR : head }
    /^\{/ { start = head ? head : FNR }
    /^\}/ && start {
      if (FNR - start + 1 >= 80) print FILENAME ":" start ": a function of " FNR - start + 1 " lines; split it"
      start = 0
    }
    /^[};]/ || /^$/ { head = 0 }
  ' "$@"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{ echo 'int f(void)'; echo '{'; yes '	;' | head -n 78; echo '}'; } >"$scratch/long.c" 2>/dev/null || true
yes ';' 2>/dev/null | head -n 500 >"$scratch/large.c" || true
[[ $(measure "$scratch"/*.c | wc -l) -eq 2 ]] || { echo 'a long function or file was not found'; exit 1; }

found=$(measure src/*.c src/*/*.c src/*/*.h)
[[ -z $found ]] || { echo "$found"; exit 1; }
