#!/bin/bash
# Tests pawl's hardware tier in an emulated machine with counters. See README.md.
#
#   PMU_VM=RUNNER tests/pmu/run.sh [MACHINE...]     default: plain six four one few-events
#
# Without a runner all tests are skipped with the reason. PMU_KEEP keeps the machines' files in
# folders $PMU_KEEP-MACHINE, which must not exist.
set -u

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

skip() {
  echo "skip  pmu: $*"
  exit 0
}

[[ -n ${PMU_VM:-} ]] || skip 'PMU_VM does not name a runner of machines with counters'
[[ -x $PMU_VM ]] || skip "the runner PMU_VM names is not there: $PMU_VM"

# The runner's options for each machine.
declare -A machines=(
  [plain]='--pmu basic --icount off --cpu max,pauth-impdef=on'
  [six]='--counters 6'
  [four]='--counters 4'
  [one]='--counters 1'
  [few-events]='--pmu basic'
)
# Packages that the guest needs to build and test pawl. The runner's default list lacks libiberty.
export PMU_PACKAGES=${PMU_PACKAGES:-gcc libc6-dev make pkg-config libcjson-dev libyaml-dev libdw-dev libelf-dev libpcre2-dev zlib1g-dev libcmocka-dev libiberty-dev sqlite3 git python3 strace}

[[ $# -gt 0 ]] || set -- plain six four one few-events
for machine in "$@"; do
  [[ -n ${machines[$machine]:-} ]] && continue
  echo "run.sh: unknown machine $machine; there are: ${!machines[*]}" >&2
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

failed=0
for machine in "$@"; do
  # shellcheck disable=SC2086
  "$PMU_VM" -q --timeout 1800 ${machines[$machine]} ${PMU_KEEP:+--out "$PMU_KEEP-$machine"} "$work/tree" \
    tests/pmu/in-guest.sh "$machine"
  status=$?
  [[ $status -eq 0 ]] || failed=1
  [[ $status -le 1 ]] || echo "FAIL  pmu/$machine: the machine ended with status $status"
done
exit $failed
