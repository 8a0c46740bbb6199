#!/bin/bash
# What is published: one version everywhere, a source archive whose bytes do not depend on folder and time, and the steps of
# release.yml with a fake gh.
# shellcheck disable=SC2016
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/packages/lib.sh"
release=$root/tools/github/release.sh

# -------- versions

newest=$(sed -n 's/^## \[\([0-9.]*\)\].*/\1/p' "$root/CHANGELOG.md" | head -n 1)

# tree EDIT FILE: a copy of the files that hold the version, one of them edited.
tree() {
  rm -rf "$work/tree"
  mkdir -p "$work/tree/tools/github" "$work/tree/debian"
  cp "$root/Makefile" "$root/CHANGELOG.md" "$work/tree/"
  cp "$root/debian/changelog" "$work/tree/debian/"
  cp "$release" "$work/tree/tools/github/"
  sed -i "$1" "$work/tree/$2"
}

test_versions() {
  check "CHANGELOG.md's newest version is the Makefile's" test "$newest" = "$version"
  check 'the tag of this version is accepted' "$release" version "v$version"
  refused 'another tag is not' 'but VERSION' "$release" version v99.0.0
  tree '1s/(.*)/(99.0.0)/' debian/changelog
  refused 'nor another version of the package' 'begins with 99' "$work/tree/tools/github/release.sh" version "v$version"
  tree "s/^## \[$version\]/## [98.0.0]/" CHANGELOG.md
  refused 'nor a version without a section' 'has no section' "$work/tree/tools/github/release.sh" version "v$version"
}

# -------- publishing

# machines TEXT TEXT: what two machines built: a program each, and an archive with TEXT.
machines() {
  rm -rf "$work/built" "$work/release"
  mkdir -p "$work/built/one" "$work/built/two"
  echo 1 >"$work/built/one/pawl-$version-linux-x86_64"
  echo 2 >"$work/built/two/pawl-$version-linux-aarch64"
  echo "$1" >"$work/built/one/pawl-$version.tar.gz"
  echo "$2" >"$work/built/two/pawl-$version.tar.gz"
}

publish() {
  : >"$work/gh.log"
  PATH=$work/bin:$PATH GITHUB_REPOSITORY=o/pawl GITHUB_SHA=abc "$release" publish "v$version" "$work/release"
}
log_has() { grep -nE -- "$1" "$work/gh.log" | cut -d: -f1; }

test_publishing() {
  mkdir -p "$work/bin"
  printf '#!/bin/sh\necho "$@" >>"%s"\n[ "$1 $4" != "$FAIL" ]\n' "$work/gh.log" >"$work/bin/gh"
  chmod +x "$work/bin/gh"

  machines same same
  check 'the files of both machines are gathered' "$release" gather "$work/built" "$work/release"
  check 'with sums of all of them' eval '(cd "$work/release" && sha256sum -c SHA256SUMS && [[ $(wc -l <SHA256SUMS) -eq 3 ]])'
  check 'they are published' publish
  check 'and then the tag of the major version moves' \
    eval '[[ $(log_has "release create v$version .*SHA256SUMS") -lt $(log_has "PATCH .*/refs/tags/v${version%%.*} .*sha=abc") ]]'
  FAIL='api PATCH' check 'or is made, the first time' publish
  check 'with the commit' eval '[[ -n $(log_has "POST repos/o/pawl/git/refs .*refs/tags/v${version%%.*} .*sha=abc") ]]'

  echo other >"$work/release/pawl-$version.tar.gz"
  refused 'a changed file is not published' 'not those that were gathered' publish
  check 'and no tag moves' test ! -s "$work/gh.log"
  machines same different
  refused 'different archives are refused' 'two machines made a different' "$release" gather "$work/built" "$work/release"
  machines same same
  rm "$work/built/two/pawl-$version-linux-aarch64"
  refused 'a missing program, too' 'a program is missing' "$release" gather "$work/built" "$work/release"
}

# -------- the same bytes

test_same_bytes() {
  if ! git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1; then
    skip 'the source archive does not depend on folder and time' 'this is not a git repository'
    return
  fi
  check 'the source archive does not depend on folder and time' twice 'make -s dist' "build/dist/pawl-$version.tar.gz"
  check 'it holds its commit' eval 'tar -xzOf "$clones/a/build/dist/pawl-$version.tar.gz" "pawl-$version/.commit" | grep -qx "commit [0-9a-f]\{40\}"'
  check 'and no builds' eval '! tar -tzf "$clones/a/build/dist/pawl-$version.tar.gz" | grep -E "/(build|pawl-out)/"'
}

test_versions
test_publishing
test_same_bytes
[[ $failures -eq 0 ]]
