#!/bin/bash
# The static programs of both kinds of machine: the same bytes in any folder, no library but libc, and the other machine's
# unit tests under an emulator.
# shellcheck disable=SC2016
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/packages/lib.sh"
case $(uname -m) in
  x86_64) other=arm64 ;;
  *) other=amd64 ;;
esac

needs_only_libc() {
  readelf -W --dynamic "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
  cat "$work/needed"
  grep -q '^libc\.so\.6$' "$work/needed" && ! grep -vE '^(libc|libm)\.so\.6$|^ld-linux' "$work/needed"
}

# Releases are built where the C library is as old as that; see release.yml.
needs_old_glibc() {
  local newest promised
  newest=$(readelf -W --version-info "$1" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1)
  promised=$(grep -oE 'glibc [0-9.]+' "$root/docs/how-to/install.md" | head -n 1)
  echo "needs ${newest#GLIBC_}; install.md promises ${promised#glibc }"
  [[ -n $newest && $(printf '%s\n' "${newest#GLIBC_}" "${promised#glibc }" | sort -V | tail -n 1) == "${promised#glibc }" ]]
}

# built WORDS MACHINE ARGUMENT...: the program of the machine, which make builds with these arguments.
built() {
  local words=$1 program=build/dist/pawl-$version-linux-$2
  shift 2
  check "$words program: the same bytes in another folder, at another time" twice "make -s -j $(nproc) static $*" "$program"
  check "$words program: it needs only libc" needs_only_libc "$clones/a/$program"
  if [[ $(getconf GNU_LIBC_VERSION) =~ ' 2.3'[0-7] ]]; then
    check "$words program: it runs with the glibc that install.md promises" needs_old_glibc "$clones/a/$program"
  else
    skip "$words program: it runs with the glibc that install.md promises" 'releases are built with an older one'
  fi
}

test_own() {
  local program
  heavy 'the static program does not depend on folder and time' apt-get dpkg-source || return
  program=$clones/a/build/dist/pawl-$version-linux-$(uname -m)
  built "this machine's" "$(uname -m)"
  check 'it names its commit' eval '"$program" --version | grep -qx "commit     $(git -C "$clones/a" rev-parse HEAD)"'
  check 'it measures' env XDG_RUNTIME_DIR="$work" "$program" ab -N 'seq 20000' 'seq 20000' --limit 50%
  # The version that it needs has another name here, and so no library has it.
  sed 's/GLIBC_2\.34/GLIBC_9.34/g' "$program" >"$work/too-new" && chmod +x "$work/too-new"
  refused 'an older C library is named, with the version that is missing' "GLIBC_9.34. not found (required by" "$work/too-new" --version
}

# The unit tests of pure code, by the headers they include: an emulator runs what starts no process. There is a script for
# each, so that tests/run.sh runs it. An emulator is up to 20 times slower; tests that promise a time know that by
# PAWL_EMULATED.
emulate() {
  local test
  mkdir -p "$work/emulated/unit"
  for test in pawl $(cd "$1" && grep -LE 'src/(measure|job)/' unit/test_*.d | sed 's/\.d$//'); do
    printf '#!/bin/sh\nPAWL_EMULATED=1 exec %s -L %s %s "$@"\n' "$emulator" "$sysroot" "$1/$test" >"$work/emulated/$test"
    chmod +x "$work/emulated/$test"
  done
}

test_other() {
  local words machine emulator sysroot triplet
  words="the static program of $other does not depend on folder and time"
  heavy "$words" apt-get dpkg-source dpkg-architecture || return
  triplet=$(dpkg-architecture -a$other -qDEB_HOST_GNU_TYPE 2>/dev/null)
  machine=${triplet%%-*}
  emulator=qemu-$machine-static
  heavy "$words" "$triplet-gcc" "$emulator" || return
  sysroot=$(clone a)/build/sysroot-$other
  if ! make -s -C "$clones/a" ARCH=$other libraries >"$work/output" 2>&1 && grep -q "have no packages of $other" "$work/output"; then
    skip "$words" "the sources of this machine have no packages of $other"
    return
  fi
  built "$other's" "$machine" ARCH=$other
  check 'it names its commit, under an emulator' \
    eval '"$emulator" -L "$sysroot" "$clones/a/build/dist/pawl-$version-linux-$machine" --version | grep -qx "commit     $(git -C "$clones/a" rev-parse HEAD)"'
  check "$other's unit tests are built" make -s -C "$clones/a" -j "$(nproc)" ARCH=$other units
  emulate "$clones/a/build/static-$machine"
  check "more than 50 of them test pure code" eval '[[ $(ls "$work"/emulated/unit | wc -l) -gt 50 ]]'
  check "$other's unit tests pass under an emulator" env CASE_SECONDS=1800 B=$work/emulated "$clones/a/tests/run.sh" unit/
}

test_own
test_other
[[ $failures -eq 0 ]]
