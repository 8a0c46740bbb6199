#!/bin/bash
# Verdicts on this machine, live: real programs, of which the head does no more work, or 2, 3, 5 or 10 % more for
# real, half of the comparisons beside a neighbour that comes and goes. Rates of false alarms and of slowdowns
# that were caught, with exact intervals, for `pawl ab` as it is, told to tolerate 1 %, and told to take turns, and,
# on the same programs, for what people do by hand: hyperfine's means, medians of ten, a rank test. Compressors with
# a tenth more to do are compared beside two loops that never rest. See verdicts.py.
#
# PAWL is the binary (build/pawl). VERDICTS_AA comparisons of A with A (200), VERDICTS_INJECTED of each slowdown
# (30), of which VERDICTS_PEERS_AA (60) and VERDICTS_PEERS (20) also by the other ways, and VERDICTS_TURNS (10; of the
# unchanged four times as many) in turn; VERDICTS_BUSY (9) compressors beside busy loops. After VERDICTS_SECONDS
# (1100) no more are started: results are kept in VERDICTS_DIR (build/verdicts), and the same command goes on.
# Status 1 when a limit is exceeded, which only counts at full size; 2 when something is missing.
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
