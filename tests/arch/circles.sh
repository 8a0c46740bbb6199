# Calls between files form no cycles, of any length: two files that need each other are one concept.
# shellcheck shell=bash
set -eu

. "$(dirname "${BASH_SOURCE[0]}")/drawing"

# loops: prints the cycles in the pairs of standard input.
loops() {
  tsort 2>&1 >/dev/null | sed -n 's/^tsort: //; /input contains a loop/d; p' | tr '\n' ' '
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
[[ -z $(printf '%s\n' 'a b' 'b c' 'a c' | loops) ]] || { echo 'a circle was found where there is none'; exit 1; }
[[ -n $(printf '%s\n' 'a b' 'b c' 'c a' | loops) ]] || { echo 'a circle of three files was not found'; exit 1; }

objects=()
while read -r source; do
  object=$B/${source#src/}
  objects+=("${object%.c}.o")
done < <(find src -name '*.c')
uses "${objects[@]}" | sed "s|$B/||g" | cut -d" " -f1,2 | sort -u >"$scratch/uses"
[[ $(wc -l <"$scratch/uses") -gt 100 ]] || { echo 'too few uses were found'; exit 1; }
found=$(loops <"$scratch/uses")
[[ -z $found ]] || { echo "these files need each other: $found"; exit 1; }
