#!/bin/bash
# The steps of .github/workflows/release.yml.
#
#   tools/github/release.sh version TAG           fails unless TAG, the Makefile and both changelogs have one version
#   tools/github/release.sh gather BUILT RELEASE  the files of all machines, whose source archives must not differ, and SHA256SUMS
#   tools/github/release.sh publish TAG RELEASE   publishes the files with gh, then moves the tag of the major version
set -eu

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
die() { echo "release.sh: $*" >&2; exit 1; }

version() {
  local tag=$1 made debian
  made=$(sed -n 's/^VERSION := //p' "$root/Makefile")
  debian=$(sed -n '1s/^pawl (\(.*\)) .*/\1/p' "$root/debian/changelog")
  [[ $tag == "v$made" ]] || die "the tag is $tag, but VERSION in the Makefile is $made"
  [[ $debian == "$made" ]] || die "VERSION in the Makefile is $made, but debian/changelog begins with $debian"
  [[ -n $(notes "$made") ]] || die "CHANGELOG.md has no section [$made]: rename [Unreleased], and begin a new one above"
}

# Prints the section of CHANGELOG.md about the version $1.
notes() {
  awk -v begin="## [$1]" 'index($0, "## [") == 1 { on = index($0, begin) == 1; next } on' "$root/CHANGELOG.md"
}

gather() {
  local file
  mkdir -p "$2"
  for file in "$1"/*/*; do
    if [[ -e $2/${file##*/} ]]; then
      cmp "$file" "$2/${file##*/}" || die "two machines made a different ${file##*/}"
    else
      cp "$file" "$2/"
    fi
  done
  [[ $(find "$2" -name '*-linux-*' | wc -l) -ge 2 ]] || die "a program is missing: $(cd "$2" && echo *)"
  (cd "$2" && sha256sum -- * >"../SHA256SUMS.new" && mv ../SHA256SUMS.new SHA256SUMS)
}

publish() {
  local tag=$1 major=${1%%.*} text
  version "$tag"
  (cd "$2" && sha256sum --quiet --check SHA256SUMS) || die "the files in $2 are not those that were gathered"
  text=$(notes "${tag#v}")
  gh release create "$tag" --verify-tag --title "pawl ${tag#v}" --notes "$text" "$2"/*
  # An action is used as OWNER/pawl@v1.
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/git/refs/tags/$major" -f sha="$GITHUB_SHA" -F force=true ||
    gh api --silent --method POST "repos/$GITHUB_REPOSITORY/git/refs" -f ref="refs/tags/$major" -f sha="$GITHUB_SHA"
}

case "${1:-} $#" in
  'version 2' | 'gather 3' | 'publish 3') "$@" ;;
  *) sed -n '4,6s/^# *//p' "$0" >&2; exit 2 ;;
esac
