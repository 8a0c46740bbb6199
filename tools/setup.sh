#!/bin/bash
# Install what pawl needs on Debian or Ubuntu, and nothing when nothing is missing.
#
#   tools/setup.sh [build] [measure] [test] [scenarios] [servers] [bench] [lint] [package]     no group: build, test and scenarios
#
# The group measure is perf and what stands in for its counters. The group test also gets what tests of pages and
# workflows need, as far as it can be had: chromium, node, and by npm what their package.json names. Installed
# servers are not started, neither now nor at the next boot. What only some of their tests use is optional.
# PAWL_NO_INSTALL=1 only prints the commands that would run.
set -eu

usage='usage: tools/setup.sh [build] [measure] [test] [scenarios] [servers] [bench] [lint] [package]'
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
tests=$here/../tests

build=(gcc make pkg-config libc6-dev libyaml-dev libcjson-dev libiberty-dev libdw-dev libelf-dev libpcre2-dev zlib1g-dev git)
measure=(valgrind strace)
test=(libcmocka-dev git python3 python3-yaml jq valgrind strace mandoc man-db)
scenarios=(sqlite3 xz-utils zstd gzip python3 git jq openssl coreutils mawk valgrind strace)
servers=(nginx wrk redis-server redis-tools postgresql slurmctld slurmd slurm-client munge jq python3 python3-yaml)
lint=(clang-tidy cppcheck codespell)
package=(debhelper dpkg-dev lintian libbz2-dev libcmocka-dev debootstrap qemu-user-static)
bench=(hyperfine valgrind strace xz-utils gzip lz4 sqlite3 python3 jq openssl g++ libbenchmark-dev)
cross=gcc-aarch64-linux-gnu # builds for the other kind of machine
[[ $(uname -m) != aarch64 ]] || cross=gcc-x86-64-linux-gnu
optional=(podman crun busybox-static libbenchmark-dev python3-pytest-benchmark hyperfine catch2 golang-go cargo librust-criterion-dev)
daemons=(nginx redis-server postgresql slurmctld slurmd munge)

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# The packages of the chosen groups, each once.
packages_of() {
  local group
  for group in "$@"; do
    case $group in
      build) printf '%s\n' "${build[@]}" ;;
      measure) printf '%s\n' "${measure[@]}" ;;
      test) printf '%s\n' "${test[@]}" ;;
      scenarios) printf '%s\n' "${scenarios[@]}" ;;
      servers) printf '%s\n' "${servers[@]}" ;;
      bench) printf '%s\n' "${bench[@]}" ;;
      lint) printf '%s\n' "${lint[@]}" ;;
      package) printf '%s\n' "${package[@]}" "$cross" ;;
    esac
  done | sort -u
}

# Of the names on standard input, those that are not installed.
missing_of() {
  local names
  mapfile -t names
  comm -23 <(printf '%s\n' "${names[@]}" | sort -u) \
    <(dpkg-query -W -f '${binary:Package} ${db:Status-Status}\n' "${names[@]}" 2>/dev/null |
      awk '$2 == "installed" { sub(/:.*/, "", $1); print $1 }' | sort -u)
}

# Ubuntu's /usr/bin/perf is a wrapper that refuses a kernel it has no tools for; a real perf for
# another kernel lies in linux-tools and serves as well.
have_perf() {
  local perf
  perf --version >/dev/null 2>&1 && return
  for perf in /usr/lib/linux-tools*/perf /usr/lib/linux-tools/*/perf; do
    [[ -x $perf ]] && return
  done
  return 1
}

have_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" >/dev/null && return
  done
  return 1
}

# shellcheck source=/dev/null
distribution() { (. /etc/os-release 2>/dev/null && printf '%s %s' "${ID:-}" "${ID_LIKE:-}"); }

known_to_apt() { [[ -n $(apt-cache madison "$1" 2>/dev/null) ]]; }

# perf's packages here. Only those apt knows, since few kernels have tools of their own.
perf_packages() {
  local name found=
  case " $(distribution) " in
    *' ubuntu '*)
      for name in "linux-tools-$(uname -r)" linux-tools-generic; do
        if known_to_apt "$name"; then printf '%s\n' "$name"; found=1; fi
      done
      [[ -n $found ]] || echo linux-tools-generic
      ;;
    *) echo linux-perf ;;
  esac
}

run() {
  printf '+ %s\n' "$*" >&2
  [[ -n ${PAWL_NO_INSTALL:-} && ${PAWL_NO_INSTALL:-} != 0 ]] || "$@"
}

groups=("$@")
[[ $# -gt 0 ]] || groups=(build test scenarios)
for group in "${groups[@]}"; do
  case $group in
    build | measure | test | scenarios | servers | bench | lint | package) ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) say "unknown group '$group'"; echo "$usage" >&2; exit 2 ;;
  esac
done

with() { [[ " ${groups[*]} " == *" $1 "* ]]; }

needs_perf=
if with measure || with test || with scenarios || with servers || with bench; then needs_perf=1; fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "this is not Debian or Ubuntu: no apt-get here. Install what is missing of these by hand"
  say "(Debian's names): $(packages_of "${groups[@]}" | tr '\n' ' ')${needs_perf:+linux-perf}"
  [[ -n ${PAWL_NO_INSTALL:-} ]] || exit 1
  exit 0
fi

mapfile -t missing < <(packages_of "${groups[@]}" | missing_of)
wished=()
if with servers; then mapfile -t wished < <(printf '%s\n' "${optional[@]}" | missing_of); fi
if [[ -n $needs_perf ]] && have_perf; then needs_perf=; fi
if with test; then
  have_browser || wished+=(chromium)
  command -v node >/dev/null || wished+=(nodejs npm)
  command -v shellcheck >/dev/null || wished+=(shellcheck)
fi

# install_from_npm FOLDER: what its package.json names, which is not packaged; its tests are skipped without.
install_from_npm() {
  cmp -s "$tests/$1/package-lock.json" "$tests/$1/node_modules/.installed" && return
  command -v npm >/dev/null || [[ -n ${PAWL_NO_INSTALL:-} ]] || return 0
  if ! run npm --prefix "$tests/$1" ci --no-audit --no-fund --ignore-scripts >&2; then
    say "could not install what tests/$1/package.json names: tests in tests/$1 will be skipped"
  elif [[ -z ${PAWL_NO_INSTALL:-} ]]; then
    # So that other versions are installed once the lock names them.
    cp "$tests/$1/package-lock.json" "$tests/$1/node_modules/.installed" 2>/dev/null || true
  fi
}

install_unpackaged() {
  with test || return 0
  install_from_npm browser
  install_from_npm workflows
}

if [[ ${#missing[@]} -eq 0 && ${#wished[@]} -eq 0 && -z $needs_perf ]]; then
  install_unpackaged
  exit 0
fi

say "missing:${missing[*]:+ ${missing[*]}}${needs_perf:+ perf}${wished[*]:+ (optional: ${wished[*]})}"
sudo=()
if [[ $(id -u) -ne 0 ]]; then
  sudo=(sudo)
  command -v sudo >/dev/null || say "not root, and no sudo here: have root run the commands below"
fi

install() {
  local quietly=()
  ! with servers || quietly=("$here/no-daemons.sh")
  run "${sudo[@]}" "${quietly[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"
}

# Packages enable their daemons for the next boot; those that were there before stay as they are.
disable_new_daemons() {
  local daemon
  [[ -d /run/systemd/system ]] || return 0
  for daemon in "${daemons[@]}"; do
    [[ " ${missing[*]-} " != *" $daemon "* ]] || run "${sudo[@]}" systemctl --quiet disable "$daemon" || true
  done
}

run "${sudo[@]}" apt-get update -q || say "apt-get update failed; trying with the lists that are here"
[[ -z $needs_perf ]] || mapfile -t -O "${#missing[@]}" missing < <(perf_packages)
if [[ ${#missing[@]} -gt 0 ]]; then
  install "${missing[@]}" || die "could not install everything (see above); still needed: ${missing[*]}"
  disable_new_daemons
fi
if [[ ${#wished[@]} -gt 0 ]] && ! install "${wished[@]}"; then
  say "could not install ${wished[*]}: the tests that use them will be skipped"
fi
install_unpackaged
