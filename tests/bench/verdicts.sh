#!/bin/bash
# Live verdicts of `pawl ab` on this machine, with real programs. The head does 0, 2, 3, 5 or 10 % more work. Half of
# the comparisons run while another load comes and goes. Prints the rates of false alarms and of caught slowdowns,
# with exact intervals, for `pawl ab` by default, with a limit of 1 %, and taking turns. The same programs are
# judged by hyperfine's means, medians of ten runs and a rank test. Compressors with 10 % more input are compared
# while two busy loops run. See verdicts.py.
#
# PAWL               the binary (build/pawl)
# VERDICTS_AA        comparisons of A with A (200)
# VERDICTS_INJECTED  comparisons of each slowdown (30)
# VERDICTS_PEERS_AA, VERDICTS_PEERS
#                    how many of these the other methods judge too (60 and 20)
# VERDICTS_TURNS     comparisons in turn (10; four times as many of the unchanged program)
# VERDICTS_BUSY      comparisons of compressors with busy loops (9)
# VERDICTS_SECONDS   no comparison starts later than this (1100)
# VERDICTS_DIR       keeps the results; the same command continues (build/verdicts)
#
# Status 1 if a limit is exceeded, which only counts at full size; 2 if something is missing.
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
[[ -x $PAWL ]] || { echo "verdicts: there is no $PAWL: build it with 'make'" >&2; exit 2; }
needed=(python3 valgrind xz gzip lz4 sqlite3 jq openssl)
((${VERDICTS_PEERS_AA:-60} + ${VERDICTS_PEERS:-20} == 0)) || needed+=(hyperfine)
for program in "${needed[@]}"; do
  command -v "$program" >/dev/null || { echo "verdicts: $program is not installed; tools/setup.sh bench" >&2; exit 2; }
done
unset "${!GITHUB_@}" "${!PAWL_@}"
export PYTHONDONTWRITEBYTECODE=1 PAWL VERDICTS_DIR=${VERDICTS_DIR:-$root/build/verdicts}
exec python3 "$here/verdicts.py"
