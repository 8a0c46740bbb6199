#!/bin/bash
# Pairs of different builds, of which `pawl run --base` may call none identical, and of equal ones, which it must recognise.
# See identical.py.
#
#   identical.sh [--times N] [NAME...]
#
# NAME is any part of the name of a kind; default: all, N (4) pairs each. PAWL is the binary (build/pawl). Status 1 if a pair was
# wrong; 2 if something is missing.
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
for program in python3 gcc make nm perl awk bash strace perf; do
  command -v "$program" >/dev/null || { echo "identical: $program is not installed; tools/setup.sh bench" >&2; exit 2; }
done
unset "${!GITHUB_@}" "${!PAWL_@}"
export PAWL
exec python3 "$here/identical.py" "$@"
