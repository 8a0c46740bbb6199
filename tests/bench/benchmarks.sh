#!/bin/bash
# Comparisons of a program of 20 benchmarks beside a neighbour: with another build of itself, and with one benchmark
# slowed by 5 %. Prints how often pawl raised a false alarm, found the slow one and accused another, and what the
# comparisons that people use say of the same values. See benchmarks.py.
#
# PAWL                the binary (build/pawl)
# BENCHMARKS_AA       comparisons of unchanged programs (40)
# BENCHMARKS_SLOWER   comparisons with a slow benchmark (40)
# BENCHMARKS_SECONDS  no comparison starts later than this (1100)
# BENCHMARKS_DIR      keeps the results; the same command continues (build/benchmarks)
#
# Status 1 if a limit is exceeded, which only counts at full size; 2 if something is missing.
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
[[ -x $PAWL ]] || { echo "benchmarks: there is no $PAWL: build it with 'make'" >&2; exit 2; }
for program in python3 g++; do
  command -v "$program" >/dev/null || { echo "benchmarks: $program is not installed" >&2; exit 2; }
done
unset "${!GITHUB_@}" "${!PAWL_@}"
export PYTHONDONTWRITEBYTECODE=1 PAWL BENCHMARKS_DIR=${BENCHMARKS_DIR:-$root/build/benchmarks}
exec python3 "$here/benchmarks.py"
