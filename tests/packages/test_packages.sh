#!/bin/bash
# What is published: one version everywhere, archives and programs whose bytes do not depend on folder and time, the steps
# of release.yml with a fake gh, and the package's life in an empty root.
#
# PAWL_TEST_PACKAGES=1 also builds the static program twice and the Debian package, which takes minutes.
# shellcheck disable=SC2016
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/results.sh"
release=$root/tools/github/release.sh
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES STATIC SAN COVERAGE WERROR CFLAGS LDFLAGS

# check WORDS COMMAND...: COMMAND succeeds; its output is shown only if it fails.
check() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1; then ok "$words"; else fail "$words"; fi
}
# refused WORDS TEXT COMMAND...: COMMAND fails, and says TEXT.
refused() {
  local words=$1 text=$2
  shift 2
  if "$@" >"$work/output" 2>&1 || ! grep -q -- "$text" "$work/output"; then fail "$words"; else ok "$words"; fi
}

# -------- versions

version=$(sed -n 's/^VERSION := //p' "$root/Makefile")
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

another_second() { local now; now=$(date +%s); until [[ $(date +%s) -ne $now ]]; do sleep 0.05; done; }

# twice COMMAND FILE: runs COMMAND in two clones in different folders, at different times; FILE has the same bytes in both.
twice() {
  local folder
  for folder in "$work/a" "$work/other/b"; do
    [[ -d $folder ]] || git clone -q "$root" "$folder" || return
    (umask "$([[ $folder == */a ]] && echo 022 || echo 077)" && cd "$folder" && eval "$1") || return
    another_second
  done
  (cd "$work" && cmp "a/$2" "other/b/$2")
}


test_same_bytes() {
  if ! git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1; then
    skip 'archives and programs do not depend on folder and time' 'this is not a git repository'
    return
  fi
  check 'the source archive does not depend on folder and time' twice 'make -s dist' "build/dist/pawl-$version.tar.gz"
  check 'it holds its commit' eval 'tar -xzOf "$work/a/build/dist/pawl-$version.tar.gz" "pawl-$version/.commit" | grep -qx "commit [0-9a-f]\{40\}"'
  check 'and no builds' eval '! tar -tzf "$work/a/build/dist/pawl-$version.tar.gz" | grep -E "/(build|pawl-out)/"'
}

# -------- what takes minutes

needs() {
  local tool
  for tool in "$@"; do command -v "$tool" >/dev/null || { echo "$tool is not installed (tools/setup.sh package)"; return 1; }; done
  [[ ${PAWL_TEST_PACKAGES:-} == 1 ]] || { echo 'takes minutes (PAWL_TEST_PACKAGES=1)'; return 1; }
}

only_libc() { ! ldd "$1" | awk '{ print $1 }' | grep -vE '^(linux-vdso|libc|libm)\.so|/ld-linux'; }

test_static() {
  local why program
  program=build/dist/pawl-$version-linux-$(uname -m)
  why=$(needs apt-get dpkg-source) || { skip 'the static program does not depend on folder and time' "$why"; return; }
  check 'the static program does not depend on folder and time' twice 'make -s static' "$program"
  check 'it needs only libc' only_libc "$work/a/$program"
  check 'it names its commit' eval '"$work/a/$program" --version | grep -qx "commit     $(git -C "$work/a" rev-parse HEAD)"'
  check 'it measures' env XDG_RUNTIME_DIR="$work" "$work/a/$program" ab -N 'seq 20000' 'seq 20000' --limit 50%
}

# in_root ARGUMENT...: dpkg with an empty root of its own. The package has no scripts, so nothing runs there.
in_root() { dpkg --root="$work/tree" --force-not-root --force-depends --log=/dev/null "$@"; }
files_in_root() { find "$work/tree" -path "$work/tree/var/lib/dpkg" -prune -o ! -type d -print; }

# A next version, whose page of `pawl cache` has another name.
next_version() {
  dpkg-deb -R "$1" "$work/next" && sed -i 's/^Version: .*/Version: 99.0.0/' "$work/next/DEBIAN/control" &&
    mv "$work/next/usr/share/man/man1/pawl-cache.1.gz" "$work/next/usr/share/man/man1/pawl-store.1.gz" &&
    dpkg-deb --root-owner-group -b "$work/next" "$work/next.deb"
}

test_deb() {
  local why deb
  why=$(needs dpkg-buildpackage dh lintian) || { skip 'the Debian package is clean, and leaves nothing behind' "$why"; return; }
  check 'the Debian package is built, and lintian has no complaint' make -C "$work/a" -s deb
  deb=$(echo "$work"/a/build/dist/*.deb)
  check 'it has no scripts' eval '[[ -z $(dpkg-deb --ctrl-tarfile "$deb" | tar -t | grep -E "(pre|post)(inst|rm)") ]]'
  mkdir -p "$work"/tree/var/lib/dpkg/{info,updates,triggers}
  : >"$work/tree/var/lib/dpkg/status"
  check 'it is installed into an empty root' in_root -i "$deb"
  for file in bin/pawl share/man/man1/pawl-run.1.gz share/man/man5/pawl-scenario.5.gz share/doc/pawl/docs/tutorial.md \
    share/bash-completion/completions/pawl share/zsh/site-functions/_pawl share/fish/vendor_completions.d/pawl.fish \
    share/pawl/scenario.schema.json; do
    check "with $file" test -s "$work/tree/usr/$file"
  done
  check 'the installed program runs' "$work/tree/usr/bin/pawl" check --help
  check 'a next version is made' next_version "$deb"
  check 'an upgrade replaces it' in_root -i "$work/next.deb"
  check 'an old file is gone, its successor is there' \
    eval '[[ ! -e $work/tree/usr/share/man/man1/pawl-cache.1.gz && -e $work/tree/usr/share/man/man1/pawl-store.1.gz ]]'
  check 'a purge leaves nothing behind' eval 'in_root --purge pawl && files_in_root && [[ -z $(files_in_root) ]]'
}

test_versions
test_publishing
test_same_bytes
test_static
test_deb
[[ $failures -eq 0 ]]
