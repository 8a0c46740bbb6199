#!/bin/bash
# Tests pawl's hardware tier on this machine, or in emulated machines with counters. See README.md.
#
#   tests/pmu/run.sh [here]                         this machine; as root
#   PMU_VM=RUNNER tests/pmu/run.sh [MACHINE...]     default: all that PMU_ARCH has
#
# B is the build folder for this machine (default: build/release). PMU_ARCH is arm64 (the default) or amd64. What cannot
# run is skipped with the reason. PMU_KEEP keeps the machines' files in folders $PMU_KEEP-MACHINE, which must not exist.
# The last line is `N passed, N failed, N skipped`.
set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

skip() {
  echo "skip  pmu: $*"
  echo '0 passed, 0 failed, 1 skipped'
  exit 0
}

# The runner's options for each machine. QEMU's own counters are those of arm64.
export PMU_ARCH=${PMU_ARCH:-arm64}
declare -A machines=([six]='--counters 6' [four]='--counters 4' [one]='--counters 1')
all=(plain six four one)
case $PMU_ARCH in
  arm64)
    machines[plain]='--pmu basic --icount off --cpu max,pauth-impdef=on'
    machines[few-events]='--pmu basic'
    all+=(few-events)
    ;;
  amd64) machines[plain]='--pmu basic --icount off' ;;
  *) echo "run.sh: PMU_ARCH is arm64 or amd64, not $PMU_ARCH" >&2; exit 2 ;;
esac
# Packages that the guest needs to build and test pawl. The runner's default list lacks libiberty.
export PMU_PACKAGES=${PMU_PACKAGES:-gcc libc6-dev make pkg-config libcjson-dev libyaml-dev libdw-dev libelf-dev libpcre2-dev zlib1g-dev libcmocka-dev libiberty-dev sqlite3 git python3 strace}

[[ -n ${PMU_VM:-} ]] || all=(here)
[[ $# -gt 0 ]] || set -- "${all[@]}"
emulated=
for machine in "$@"; do
  [[ $machine != here ]] || continue
  emulated=1
  [[ -n ${machines[$machine]:-} ]] && continue
  echo "run.sh: unknown machine $machine of $PMU_ARCH; there are: here ${!machines[*]}" >&2
  exit 2
done
[[ -z $emulated || -n ${PMU_VM:-} ]] || skip 'PMU_VM does not name a runner of machines with counters'
[[ -z $emulated || -x $PMU_VM ]] || skip "the runner PMU_VM names is not there: $PMU_VM"

work=$(mktemp -d "${TMPDIR:-/tmp}/pawl-pmu.XXXXXX")
trap 'rm -rf "$work"' EXIT
export B=${B:-$root/build/release}

copy_tree() {
  mkdir "$work/tree"
  tar -C "$root" --exclude=./.git --exclude=./build --exclude=./pawl-out -cf - . | tar -C "$work/tree" -xf -
}

# Uses a cross compiler, as a build inside the emulated machine is slow. The guest's build is the fallback.
cross_build() (
  environment=$("$PMU_VM" --cross-env) && eval "$environment" && "$work/tree/tests/pmu/build.sh"
)

run_here() {
  local left=$work/left
  if [[ -n ${PMU_KEEP:-} ]]; then left=$PMU_KEEP-here/left; mkdir "$PMU_KEEP-here" || return; fi
  env -i PATH="$PATH" HOME="$work" LC_ALL=C.UTF-8 B="$B" "$here/machine.sh" here "$left"
}

run_emulated() {
  # shellcheck disable=SC2086
  "$PMU_VM" -q --timeout 3600 ${machines[$1]} ${PMU_KEEP:+--out "$PMU_KEEP-$1"} "$work/tree" tests/pmu/machine.sh "$1" left
}

run_machine() {
  local status=0
  if [[ $1 == here ]]; then run_here; else run_emulated "$1"; fi || status=$?
  [[ $status -eq 0 ]] || echo "FAIL  pmu/$1: the machine ended with status $status"
}

count() { grep -c "^$1  " "$work/results"; }

if [[ -n $emulated ]]; then
  copy_tree || exit
  cross_build >"$work/build.log" 2>&1 || {
    echo 'no cross build here, so the machine builds for itself'
    rm -rf "$work/tree/build"
  }
fi
for machine in "$@"; do run_machine "$machine"; done | tee "$work/results"
failed=$(count FAIL)
echo "$(count 'ok  ') passed, $failed failed, $(count skip) skipped"
[[ $failed -eq 0 ]]
