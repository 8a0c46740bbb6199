#!/bin/bash
# The spread of pairs of a program with itself, taken in turn and at the same time. See spreads.py. PAWL is the binary
# (build/pawl), MADE the program of made.c (build/release/bench/made, built by `make bench`). SPREADS_SECONDS (150) is
# the time limit.
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
MADE=$(readlink -f "${MADE:-$root/build/release/bench/made}")
for program in "$PAWL" "$MADE" python3 sort gzip xz; do
  command -v "$program" >/dev/null || { echo "spreads: there is no $program: 'make bench' builds and installs what it needs" >&2; exit 2; }
done
unset "${!GITHUB_@}" "${!PAWL_@}"
export PAWL MADE
exec python3 "$here/spreads.py"
