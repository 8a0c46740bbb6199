#!/bin/bash
# The pictures of the documents, of one result that a real run of share/demo made (tests/fixtures/demo.tar.xz).
#
#   tools/pictures.sh            draw docs/pictures with Chromium (tools/setup.sh test)
#   tools/pictures.sh --check    fail if PAWL would now print other pages than those that were drawn
#
# PAWL is the binary to use (default build/pawl). docs/pictures/drawn.sha256 has the pages and the pictures of the last drawing.
set -eu -o pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
pawl=$(readlink -f "${PAWL:-$root/build/pawl}")
pictures=$root/docs/pictures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() { printf 'pictures: %s\n' "$*" >&2; exit 1; }

# Writes the pages, without the place of the result.
print_pages() {
  mkdir -p "$work/tests/fixtures"
  cd "$work/tests/fixtures"
  tar -xf "$root/tests/fixtures/demo.tar.xz"
  "$pawl" report demo --format html -o "$work/report.html" || [[ $? -eq 1 ]]
  sed -i "s|$work/||g" "$work/report.html"
  "$pawl" flamegraph -q --diff demo/words/base/stacks.folded --base-label 'before the change' --head-label 'after it' \
    --title 'words: what the change costs' -o "$work/diff.svg" demo/words/stacks.folded
}

checksums() { (cd "$work" && sha256sum report.html diff.svg) && (cd "$pictures" && sha256sum report.png diff.png); }

draw() {
  export HOME=$work XDG_CONFIG_HOME=$work XDG_CACHE_HOME=$work # where the browser writes
  local browser
  browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || die 'no chromium is installed: tools/setup.sh test'
  [[ -d $root/tests/browser/node_modules/playwright-core ]] || die 'playwright-core is not installed: tools/setup.sh test'
  mkdir -p "$pictures"
  node "$root/tests/browser/picture.js" "$browser" "$work/report.html" "$pictures/report.png" 690 "$work/diff.svg" "$pictures/diff.png" 420
  checksums >"$pictures/drawn.sha256"
}

print_pages
case ${1:-} in
  '') draw ;;
  --check) diff "$pictures/drawn.sha256" <(checksums) >&2 || die 'docs/pictures are older than what they show: run make pictures' ;;
  *) die "unknown option $1; expected --check" ;;
esac
