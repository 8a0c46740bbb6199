#!/bin/bash
# The cause that a failed gate reports. Slowdowns of known kind and place are planted in real programs, one commit each,
# and `pawl run --base` compares that commit with its parent. pawl must name the function at fault first, and the right kind of
# cost. Harmless changes are planted as well; for these pawl must not name a cause. See causes.py and causes/plants.py.
#
#   causes.sh [--list | --prepare] [NAME...]
#
# NAME is any part of the name of a plant or of its program; default: all. --prepare only makes the repositories.
#
# PAWL             the binary (build/pawl)
# CAUSES_SECONDS   no comparison starts later than this (7200)
# CAUSES_DIR       keeps the results; the same command with the same binary continues (build/causes)
# CAUSES_MIXED=1   also counts results of other binaries
# CAUSES_AGAIN=1   repeats finished comparisons
#
# Programs from Debian's sources are skipped if apt-get cannot fetch these. Status 1 if a limit is exceeded, which only
# counts when all were compared; 2 if something is missing.
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
for program in python3 git make cc awk valgrind strace perf; do
  command -v "$program" >/dev/null || { echo "causes: $program is not installed; tools/setup.sh bench" >&2; exit 2; }
done
unset "${!GITHUB_@}" "${!PAWL_@}"
export PYTHONDONTWRITEBYTECODE=1 PAWL CAUSES_DIR=${CAUSES_DIR:-$root/build/causes}
exec python3 "$here/causes.py" "$@"
