#!/bin/bash
# Tests pawl's hardware tier in an emulated machine with counters. See README.md.
#
#   PMU_VM=RUNNER tests/pmu/run.sh [MACHINE...]     default: all that PMU_ARCH has
#
# PMU_ARCH is arm64 (the default) or amd64. Without a runner all tests are skipped with the reason. PMU_KEEP keeps the
# machines' files in folders $PMU_KEEP-MACHINE, which must not exist. The last line is `N passed, N failed, N skipped`.
set -u -o pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

skip() {
  echo "skip  pmu: $*"
  echo '0 passed, 0 failed, 1 skipped'
  exit 0
}

[[ -n ${PMU_VM:-} ]] || skip 'PMU_VM does not name a runner of machines with counters'
[[ -x $PMU_VM ]] || skip "the runner PMU_VM names is not there: $PMU_VM"

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

[[ $# -gt 0 ]] || set -- "${all[@]}"
for machine in "$@"; do
  [[ -n ${machines[$machine]:-} ]] && continue
  echo "run.sh: unknown machine $machine of $PMU_ARCH; there are: ${all[*]}" >&2
  exit 2
done

work=$(mktemp -d "${TMPDIR:-/tmp}/pawl-pmu.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar -C "$root" --exclude=./.git --exclude=./build --exclude=./pawl-out -cf - . | tar -C "$work/tree" -xf - || exit

# Uses a cross compiler, as a build inside the emulated machine is slow. The guest's build is the fallback.
cross_build() (
  environment=$("$PMU_VM" --cross-env) && eval "$environment" && "$work/tree/tests/pmu/build.sh"
)
cross_build >"$work/build.log" 2>&1 || {
  echo 'no cross build here, so the machine builds for itself'
  rm -rf "$work/tree/build"
}

run_machine() {
  local status=0
  # shellcheck disable=SC2086
  "$PMU_VM" -q --timeout 3600 ${machines[$1]} ${PMU_KEEP:+--out "$PMU_KEEP-$1"} "$work/tree" tests/pmu/in-guest.sh "$1" || status=$?
  [[ $status -eq 0 ]] || echo "FAIL  pmu/$1: the machine ended with status $status"
}

count() { grep -c "^$1  " "$work/results"; }

for machine in "$@"; do run_machine "$machine"; done | tee "$work/results"
failed=$(count FAIL)
echo "$(count 'ok  ') passed, $failed failed, $(count skip) skipped"
[[ $failed -eq 0 ]]
