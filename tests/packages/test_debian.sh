#!/bin/bash
# The life of pawl on a bare Debian: from the package and from the static program to a first measurement, an upgrade, and a
# purge that leaves nothing behind. Each system is a new root made by debootstrap.
# shellcheck disable=SC2016
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/packages/lib.sh"

# The package of an earlier version: with a page that this one no longer has.
earlier_deb() (
  cd "$(clone earlier)" || exit
  sed -i 's/^VERSION := .*/VERSION := 0.0.1/' Makefile
  sed -i '1s/(.*)/(0.0.1)/' debian/changelog
  echo '# An old page' >docs/how-to/old.md
  git add -A && git -c user.name=pawl -c user.email=pawl@example.com commit -qm 'an earlier version' &&
    DEB_BUILD_OPTIONS=noopt make -s deb
)

test_package() {
  local deb
  deb=build/dist/pawl_${version}_$(dpkg --print-architecture).deb
  check 'the Debian package: lintian has no complaint, and the same bytes in another folder' twice 'make -s deb' "$deb"
  check 'it has no scripts' eval '[[ -z $(dpkg-deb --ctrl-tarfile "$clones/a/$deb" | tar -t | grep -E "(pre|post)(inst|rm)") ]]'
  check 'an earlier version is built' earlier_deb
}

# Two commands each: the lines here are all that was typed in this system.
test_from_package() {
  local file
  system package || return
  cp "$(deb_of a)" "$work/package/root/pawl.deb"
  cp "$(deb_of earlier)" "$work/package/root/earlier.deb"
  cp -r "$root/debian/tests" "$work/package/root/"
  check 'a bare system installs the package' inside "$work/package" 'apt-get install -q -y ./pawl.deb'
  check 'and pawl ab compares two commands' inside "$work/package" \
    "pawl ab 'seq 3000000' 'seq 1000' | tee said; grep 'faster than seq 3000000' said"
  for file in bin/pawl share/man/man1/pawl-run.1.gz share/man/man5/pawl-scenario.5.gz share/doc/pawl/docs/tutorial.md \
    share/bash-completion/completions/pawl share/zsh/site-functions/_pawl share/fish/vendor_completions.d/pawl.fish \
    share/pawl/scenario.schema.json; do
    check "with $file" test -s "$work/package/usr/$file"
  done
  check "the package's own tests pass: ab" inside "$work/package" tests/ab
  check "the package's own tests pass: run, with the perf that came with it" inside "$work/package" tests/run
}

# Its users' files stay.
files_of_pawl() {
  find "$work/package" -xdev '(' -path "$work/package/root" -o -path "$work/package/tmp" ')' -prune -o -name '*pawl*' -print
}

test_upgrade() {
  local page=$work/package/usr/share/doc/pawl/docs/how-to/old.md
  [[ -d $work/package ]] || return
  check 'a purge' inside "$work/package" 'dpkg --purge pawl'
  check 'leaves nothing behind' eval 'files_of_pawl && [[ -z $(files_of_pawl) ]]'
  check 'the earlier version is installed' inside "$work/package" "apt-get install -q -y ./earlier.deb && pawl --version | grep 'pawl 0.0.1'"
  check 'with a page of its own' test -s "$page"
  check 'this version replaces it' inside "$work/package" "apt-get install -q -y ./pawl.deb && pawl --version | grep 'pawl $version'"
  check 'and the page is gone' test ! -e "$page"
  check 'the package of another kind of machine is refused' refuses_foreign
  remove package
}

# The control file alone is another machine's.
refuses_foreign() {
  dpkg-deb -R "$(deb_of a)" "$work/foreign" && sed -i 's/^Architecture: .*/Architecture: s390x/' "$work/foreign/DEBIAN/control" &&
    dpkg-deb --root-owner-group -b "$work/foreign" "$work/package/root/foreign.deb" || return
  ! inside "$work/package" 'dpkg --install ./foreign.deb 2>said' && cat "$work/package/root/said" &&
    grep 'package architecture (s390x) does not match system' "$work/package/root/said"
}

test_from_program() {
  local folder
  folder=$(clone a) && system program || return
  check 'the static program is built' make -s -C "$folder" -j "$(nproc)" static
  install "$folder/build/dist/pawl-$version-linux-$(uname -m)" "$work/program/usr/local/bin/pawl"
  cp -r "$root/debian/tests" "$work/program/root/"
  check 'a bare system that has the static program compares two commands' inside "$work/program" \
    "pawl ab 'seq 3000000' 'seq 1000' | tee said; grep 'faster than seq 3000000' said"
  mkdir "$work/program/root/scenarios"
  printf '%s\n' 'name: seq' 'target: { command: [seq, "300000"] }' >"$work/program/root/scenarios/seq.yaml"
  refused 'pawl run says what to install' 'apt-get install linux-perf' inside "$work/program" 'pawl run'
  check 'that is installed' inside "$work/program" 'apt-get install -q -y linux-perf'
  check 'and pawl run measures' inside "$work/program" "pawl run | tee said; grep 'measured for the first time' said"
  remove program
}

# Another release, whose libraries have other names, and which says that it is Ubuntu.
test_other_release() {
  if ! grep -qx ID=debian /etc/os-release || ! [[ -e /usr/share/debootstrap/scripts/trixie ]]; then
    skip 'the package on another release' 'no trixie can be had here'
    return
  fi
  system newer trixie || return
  cp "$(deb_of a)" "$work/newer/root/pawl.deb"
  printf '%s\n' 'NAME=Ubuntu' 'ID=ubuntu' 'ID_LIKE=debian' 'VERSION_ID="26.04"' >"$work/newer/etc/os-release"
  check 'trixie, named Ubuntu, installs the package' inside "$work/newer" 'apt-get install -q -y --no-install-recommends ./pawl.deb'
  check 'and compares two commands' inside "$work/newer" "pawl ab 'seq 3000000' 'seq 1000' | tee said; grep 'faster than seq 3000000' said"
  refused "pawl doctor names Ubuntu's packages" 'linux-tools' inside "$work/newer" 'pawl doctor'
}

heavy 'the package on a bare Debian' dpkg-buildpackage dh lintian debootstrap apt-get || exit 0
[[ $(id -u) -eq 0 ]] || { skip 'the package on a bare Debian' 'only root can make one'; exit 0; }
test_package
test_from_package
test_upgrade
test_from_program
test_other_release
[[ $failures -eq 0 ]]
