# Runs one test, for tests/run.sh. Every runner prints lines
#
#   ok    NAME
#   skip  NAME: REASON
#   FAIL  NAME
#         | its output
#
# Sourced by run.sh and by the processes that it starts. Needs B, root, here, work and update.
# shellcheck shell=bash disable=SC2154

CASE_SECONDS=${CASE_SECONDS:-120} # for one test; a busy machine may want more

# A python3 of PATH may be a launcher, such as pyenv's, which takes six times as long to start as Python itself. Puts the
# interpreter's folder in the place of the launcher's.
skip_python_launcher() {
  local found interpreter path=:$PATH:
  found=$(command -v python3) && interpreter=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || return 0
  [[ $found != "$interpreter" && -x $interpreter ]] || return 0
  path=${path//":${found%/*}:"/":${interpreter%/*}:"}
  PATH=${path:1:-1}
}

# Sets up the same environment on every machine: without CI variables or the user's configuration.
make_world() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/pawl-tests.XXXXXX")
  chmod 755 "$work" # cases look at it as other users too
  local kept_workflow=${PAWL_IN_WORKFLOW_TEST:-} kept_ci=${PAWL_TEST_CI:-}
  unset "${!GITHUB_@}" "${!CI_@}" "${!CHANGE_@}" "${!PAWL_@}" "${!GIT_@}" "${!XDG_@}"
  unset CI BUILD_URL NO_COLOR MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES TMPDIR LANG LANGUAGE
  [[ -z $kept_workflow ]] || export PAWL_IN_WORKFLOW_TEST=$kept_workflow
  [[ -z $kept_ci ]] || export PAWL_TEST_CI=$kept_ci
  export LC_ALL=C.UTF-8 TERM=dumb HOME=$work/home
  mkdir "$HOME"
  skip_python_launcher
  git config --global user.name 'Pawl Tests'
  git config --global user.email tests@example.com
  git config --global init.defaultBranch main
  git config --global safe.directory '*'
}

end_world() { rm -rf "$work"; }

# Prints a block at a time, so that the lines of parallel tests do not mix.
emit() { flock "$work" cat; }

quoted() { sed 's/^/      | /' "$@" | tail -n 60; }

log_of() { echo "$work/logs/${1//\//.}.log"; }

run_test() {
  local name=$1 run=run_${1%%/*} log TIMEFORMAT="%0R %0U %0S $1"
  log=$(log_of "$1")
  mkdir -p "$work/logs"
  [[ $name != */test_* ]] || run=run_script
  { time "$run" "$name" >"$log" 2>&1; } 2>"${log%.log}.time"
  emit <"$log"
}

# verdict NAME STATUS OUTPUT: prints the result. Status 77 is a skip, with the reason in the last line; 99 is a failure.
verdict() {
  case $2 in
    0) echo "ok    $1" ;;
    77) echo "skip  $1: $(tail -n 1 "$3")" ;;
    99) echo "FAIL  $1"; quoted "$3" ;;
    124) echo "FAIL  $1: not done after $CASE_SECONDS s"; quoted "$3" ;;
    *) echo "FAIL  $1"; quoted "$3" ;;
  esac
}

# Reads cmocka's TAP output. A program that dies before its last test has failed.
run_unit() {
  local status=0 log=$work/logs/${1//\//.}.tap
  (cd "$root" && CMOCKA_MESSAGE_OUTPUT=TAP timeout "$CASE_SECONDS" "$B/unit/test_${1#unit/}") >"$log" 2>&1 || status=$?
  awk -v unit="$1" -v status="$status" '
    function show() { for (i = 1; i <= n; i++) print "      | " said[i]; n = 0 }
    /^1\.\.[0-9]+$/ { planned += substr($0, 4); next }
    /^(not )?ok [0-9]+ .*# SKIP/ {
      sub(/^(not )?ok [0-9]+ (- )?/, ""); sub(/ *# SKIP */, "")
      why = n && said[n] ~ /^skipped: / ? substr(said[n], 10) : "the test says so"
      print "skip  " unit ": " $0 ": " why
      seen++; n = 0; next
    }
    /^ok [0-9]+/ { sub(/^ok [0-9]+ (- )?/, ""); print "ok    " unit ": " $0; seen++; n = failing = 0; next }
    /^not ok [0-9]+/ {
      sub(/^not ok [0-9]+ (- )?/, ""); print "FAIL  " unit ": " $0
      seen++; failed++; failing = 1; show(); next
    }
    /^# (not )?ok - / { next }
    failing && /^#/ { print "      | " $0; next }
    { said[++n] = $0 }
    END {
      if (status && !failed) print "FAIL  " unit ": ended with status " status
      else if (!planned || seen != planned) print "FAIL  " unit ": " seen + 0 " of " planned + 0 " tests ran"
      else exit
      show()
    }' "$log"
}

run_arch() {
  local status=0 log=$work/logs/${1//\//.}.out
  (cd "$root" && timeout "$CASE_SECONDS" bash "$here/$1.sh") >"$log" 2>&1 || status=$?
  verdict "$1" "$status" "$log"
}

run_fuzz() {
  local status=0 log=$work/logs/${1//\//.}.out
  timeout "$CASE_SECONDS" "$here/fuzz/run.sh" --corpus "${1#fuzz/}" >"$log" 2>&1 || status=$?
  verdict "$1" "$status" "$log"
}

# Scripts with several tests print the result lines themselves.
run_script() {
  local status=0 log=$work/logs/${1//\//.}.out
  PAWL=$B/pawl timeout 600 bash "$here/$1.sh" >"$log" 2>&1 </dev/null || status=$?
  sed -E "s#^(ok    |skip  |FAIL  )#\\1${1%%/*}: #" "$log"
  if [[ $status -ne 0 ]] && ! grep -q '^FAIL' "$log"; then verdict "$1" "$status" "$log"; fi
}

# -------- the program on its command line

run_cli() {
  local script=$here/$1.sh dir status=0 faults
  dir=$work/$(echo "${1#cli/}" | tr / -)
  rm -rf "$dir"
  mkdir -p "$dir"/{project,runtime,tmp,kept}
  chmod 1777 "$dir/tmp"
  (
    cd "$dir/project" || exit
    PAWL=$B/pawl LIB=$here/cli/lib.sh CASE_DIR=$dir XDG_RUNTIME_DIR=$dir/runtime TMPDIR=$dir/tmp \
      timeout -k 5 "$CASE_SECONDS" bash -eu -o pipefail -c '. "$LIB"; . "$0"' "$script" </dev/null >"$dir/stdout" 2>"$dir/stderr"
  ) || status=$?
  case $status in
    77 | 99 | 124)
      verdict "$1" "$status" "$dir/stderr"
      left_behind "$dir" | quoted
      return
      ;;
  esac
  normalise "$dir" <"$dir/stdout" >"$dir/out"
  normalise "$dir" <"$dir/stderr" >"$dir/err"
  echo "$status" >"$dir/exit"
  [[ -z $update ]] || keep_expected "$dir" "$here/$1"
  faults=$(compare_expected "$dir" "$here/$1"; left_behind "$dir")
  if [[ -z $faults ]]; then echo "ok    $1"; else echo "FAIL  $1"; quoted <<<"$faults"; fi
  rm -rf "$dir"
}

# Replaces text that differs between machines and between runs.
normalise() {
  sed -E -e "s#$1/project#PROJECT#g; s#$1#CASE#g" -e 's/[0-9]{8}T[0-9]{6}Z-[0-9a-z+]+(\.[0-9]+)?/RUN/g' \
    -e 's/pawl [0-9]+\.[0-9]+\.[0-9]+/pawl VERSION/g'
}

# Saves the expected output next to CASE.sh: CASE.exit (absent: 0), CASE.out and CASE.err (absent: empty).
keep_expected() {
  local part
  for part in exit out err; do
    if [[ -s $1/$part && $part$(cat "$1/$part") != exit0 ]]; then cp "$1/$part" "$2.$part"; else rm -f "$2.$part"; fi
  done
}

compare_expected() {
  local part wanted got
  for part in exit out err; do
    wanted=$(cat "$2.$part" 2>/dev/null || { [[ $part != exit ]] || echo 0; })
    got=$(cat "$1/$part")
    [[ $wanted == "$got" ]] || diff -u --label "expected $part" --label "$part" <(echo "$wanted") <(echo "$got")
  done
}

# Lists the processes and scratch folders that a case left behind, and kills the processes.
left_behind() {
  local pid
  for pid in $(grep -lsazx "CASE_DIR=$1" /proc/[0-9]*/environ | grep -oE '[0-9]+'); do
    [[ $pid != "$$" && $pid != "$BASHPID" ]] || continue
    [[ -e /proc/$pid ]] || continue
    echo "still running: $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline") ($pid)"
    kill -KILL "$pid" 2>/dev/null
  done
  find "$1/tmp" -mindepth 1 -maxdepth 1 | sed "s#^$1/#left behind: #"
}
