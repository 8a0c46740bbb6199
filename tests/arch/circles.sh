# No file calls, however far round, one that calls it: two files that need each other are one concept.
# shellcheck shell=bash
set -eu

# uses OBJECT...: lines USER OWNER, a line for each pair of objects of which one refers to what the other defines. What a
# program may define instead (a weak symbol) is no use of that program.
uses() {
  nm -A "$@" | sed -E 's/^([^:]*)\.o:/\1 /' | awk '
    NF == 4 && $3 ~ /^[VW]$/ { weak[$4] }
    NF == 4 && $3 ~ /^[BDRT]$/ { owner[$4] = $1 }
    NF == 3 && $2 == "U" { user[++n] = $1; name[n] = $3 }
    END {
      for (i = 1; i <= n; i++)
        if (name[i] in owner && !(name[i] in weak) && owner[name[i]] != user[i]) print user[i], owner[name[i]]
    }' | sort -u
}

# loops: one line for each circle of the lines on standard input.
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
uses "${objects[@]}" | sed "s|$B/||g" >"$scratch/uses"
[[ $(wc -l <"$scratch/uses") -gt 100 ]] || { echo 'too few uses were found'; exit 1; }
found=$(loops <"$scratch/uses")
[[ -z $found ]] || { echo "these files need each other: $found"; exit 1; }
