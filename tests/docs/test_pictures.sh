#!/bin/bash
# The pictures of the documents show what pawl prints now: tools/pictures.sh drew them of the same pages, to the byte.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/results.sh"

if "$root/tools/pictures.sh" --check >"$work/output" 2>&1; then ok 'docs: the pictures are of the pages of now'; else
  fail 'docs: the pictures are of the pages of now'
fi
for picture in "$root"/docs/pictures/*.png; do
  grep -qF " ${picture##*/}" "$root/docs/pictures/drawn.sha256" && grep -rqF "pictures/${picture##*/}" "$root/README.md" "$root/docs" --include='*.md' &&
    [[ $(stat -c %s "$picture") -lt 200000 ]] && continue
  echo "$picture is in no document, was not drawn by tools/pictures.sh, or is larger than 200 KB" >"$work/output"
  fail "docs: ${picture##*/} is shown, and small"
done
[[ $failures -eq 0 ]]
