# Plain English: phrases that read like a translation stay out of the sources, the documents and the help.
# shellcheck shell=bash
set -eu

phrases='nobody knows|\bis told\b|\bis said\b|\bso many\b|(/\*|^[[:space:]]*\*) (Of|What) |\bmend(s|ed|ing)?\b|\banew\b|at the most|by the clock'

# hits FILE...: prints a line FILE:LINE:TEXT for each use of a phrase.
hits() { grep -HnE "$phrases" "$@" || true; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '%s\n' 'a file that nobody knows' '/* Of both sides the first. */' >"$scratch/bad.c"
printf '%s\n' 'Median of both sides; recommended.' >"$scratch/good.c"
[[ $(hits "$scratch/bad.c" | wc -l) -eq 2 ]] || { echo 'a phrase was not found'; exit 1; }
[[ -z $(hits "$scratch/good.c") ]] || { echo 'a phrase was found where there is none'; exit 1; }

# shellcheck disable=SC2046
found=$(hits $(find src -name '*.[ch]') $(find docs -name '*.md') README.md CONTRIBUTING.md SECURITY.md CHANGELOG.md)
[[ -z $found ]] || { echo "$found"; exit 1; }
