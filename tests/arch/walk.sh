# The walk from argv to the line of the report, in CONTRIBUTING.md, names only existing files and functions.
# shellcheck shell=bash
set -eu

rows=$(sed -nE 's/^\| [0-9]+ \| `(src[^`]*)` \| `([a-z_]+)\(\)`.*/\1 \2/p' CONTRIBUTING.md)
n=$(wc -l <<<"$rows")
[[ $n -ge 8 && $n -le 10 ]] || { echo "the walk has $n steps"; exit 1; }
while read -r file function; do
  [[ -f $file ]] || { echo "there is no $file"; exit 1; }
  grep -qE "^[a-z].*[ *]$function\(" "$file" || { echo "$file has no $function()"; exit 1; }
done <<<"$rows"
