# A file has one concept and at most 1,200 lines; a function has at most 100. The style puts a function's braces in the
# first column.
# shellcheck shell=bash
set -eu

measure() {
  awk '
    FNR == 1 { start = 0 }
    FNR == 1201 { print FILENAME ": over 1,200 lines; split it" }
    /^[a-zA-Z_].*\)$/ || /^[a-zA-Z_].*, *$/ { head = head == 0 ? FNR : head }
    /^\{/ { start = head ? head : FNR }
    /^\}/ && start {
      if (FNR - start + 1 > 100) print FILENAME ":" start ": a function of " FNR - start + 1 " lines; split it"
      start = 0
    }
    /^[};]/ || /^$/ { head = 0 }
  ' "$@"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{ echo 'int f(void)'; echo '{'; yes '	;' | head -n 98; echo '}'; } >"$scratch/long.c" 2>/dev/null || true
yes ';' 2>/dev/null | head -n 1201 >"$scratch/large.c" || true
[[ $(measure "$scratch"/*.c | wc -l) -eq 2 ]] || { echo 'a long function or file was not found'; exit 1; }

# shellcheck disable=SC2046
found=$(measure $(find src -name '*.[ch]'))
# A folder can be read as a list: it has at most 20 files.
while read -r folder; do
  n=$(find "$folder" -maxdepth 1 -type f | wc -l)
  [[ $n -le 20 ]] || found+="${found:+$'\n'}$folder: $n files; at most 20 are read as a list"
done < <(find src -type d)
[[ -z $found ]] || { echo "$found"; exit 1; }
