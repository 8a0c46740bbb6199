#!/bin/bash
# The guard finds one different byte in the output, in the status or in a file, and reports equal programs as equal.
# shellcheck shell=bash
set -u

here=$(cd "$(dirname "$0")" && pwd)
command -v python3 >/dev/null || { echo 'skip  the guard: python3 is not installed'; exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/pawl-guarded.XXXXXX")
trap 'rm -rf "$work"' EXIT

# other NAME STATEMENT: makes a program that runs pawl and then STATEMENT.
other() {
  printf '#!/bin/bash\n"%s" "$@"\nstatus=$?\n%s\nexit $status\n' "$PAWL" "$2" >"$work/$1"
  chmod +x "$work/$1"
}

# told WORDS PROGRAM [OPTION...]: checks that the guard fails and prints WORDS.
told() {
  local words=$1 program=$2
  shift 2
  if "$here/guard.py" --inputs 0 --only baseline-full "$@" "$PAWL" "$program" >"$work/said" || ! grep -qF -- "$words" "$work/said"; then
    echo "FAIL  the guard does not see that $words"
    tail -n 20 "$work/said" | sed 's/^/      | /'
    exit 1
  fi
}

other same :
other printed '[[ $2 != show ]] || echo'
other status '[[ $2 != list ]] || status=7'
other written '[[ $1 != check ]] || echo x >made'
"$here/guard.py" --inputs 0 --only baseline-full "$PAWL" "$work/same" >"$work/said" || { echo 'FAIL  the guard: a program differs from itself'; exit 1; }
# Printed durations may differ.
other quick 'echo "start took 0.12 s" >&2'
other slow 'echo "start took 10.50 s" >&2'
"$here/guard.py" --inputs 0 --only baseline-full "$work/quick" "$work/slow" >"$work/said" || { echo 'FAIL  the guard: seconds differ'; exit 1; }
told '--- base stdout' "$work/printed"
told '+7' "$work/status"
told '+++ head file made' "$work/written"
# Stored results of one program are not used for another.
"$here/guard.py" --inputs 0 --only baseline-full --known "$work/known" "$PAWL" "$PAWL" >"$work/said" || exit 1
told '+7' "$work/status" --known "$work/known"
echo 'ok    the guard sees what differs'
