# No file contains a path of a developer's machine.
# shellcheck shell=bash
set -eu

git rev-parse --git-dir >/dev/null 2>&1 || { echo 'this is no git checkout'; exit 77; }
pattern='(^|[^[:alnum:]._$}/-])/(home|root|Users|work)/[[:alnum:]]'
printf 'see /%s/somebody/x\n' home | grep -qE "$pattern" || { echo 'the pattern finds nothing'; exit 1; }
found=$(git ls-files -co --exclude-standard -- ':!tests/fixtures' | while read -r file; do
  [[ ! -f $file ]] || grep -nHIE "$pattern" -- "$file" || true
done)
[[ -z $found ]] || { echo "$found"; exit 1; }
