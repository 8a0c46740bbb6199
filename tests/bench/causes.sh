#!/bin/bash
# What a red gate says the cause is: slowdowns of known kind and place are planted in real programs, one commit each,
# and `pawl ab` compares that commit with the one before. Is the function at fault named first, and is the kind of cost
# right? Harmless changes are planted as well, of which none may name a culprit. See causes.py and causes/plants.py.
#
#   causes.sh [--list | --prepare] [NAME...]
#
# NAME is any part of the name of a plant or of its program; all of them when none is given. --prepare only makes the
# repositories. PAWL is the binary (build/pawl). After CAUSES_SECONDS (7200) no more are started: results are kept in
# CAUSES_DIR (build/causes), and the same command with the same binary goes on. CAUSES_MIXED=1 counts what other
# binaries found as well. CAUSES_AGAIN=1 compares again what was compared. Programs from Debian's sources are skipped
# where apt-get cannot get those. Status 1 when a limit is exceeded, which only counts when all were compared; 2 when
# something is missing.
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
