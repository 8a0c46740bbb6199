#!/bin/bash
# The tests on one machine, as root, started by run.sh: machine.sh here|plain|six|four|one|few-events LEFT
# LEFT becomes the folder of the project with its results. For `here`, B has the pawl to test.
# The status is 0 once the tests have run. Lines that begin with FAIL say which failed.
set -u

machine=$1 left=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/build/guest
PAWL=$built/pawl
paranoid=/proc/sys/kernel/perf_event_paranoid
permitted=$(cat $paranoid 2>/dev/null)
project=$(mktemp -d /tmp/project.XXXXXX)
mkdir "$project/bin"
chmod 755 "$project"
log=$project/said
as=()
export CASE_SECONDS=900 # the machine is slow

ok() { printf 'ok    pmu/%s: %s\n' "$machine" "$1"; }
skip() { printf 'skip  pmu/%s: %s\n' "$machine" "$1"; }
fail() {
  printf 'FAIL  pmu/%s: %s\n' "$machine" "$1"
  sed 's/^/      | /' "$log"
}

# expect WORDS STATUS ARGUMENTS...: pawl ARGUMENTS in the project ends with STATUS.
expect() {
  local words=$1 wanted=$2 status=0
  shift 2
  (cd "$project" && "${as[@]}" "$PAWL" "$@") >"$log" 2>&1 || status=$?
  [[ $status -eq $wanted ]] && ok "$words" && return
  echo "status $status, expected $wanted" >>"$log"
  fail "$words"
}

# found WORDS EXPRESSION...: each EXPRESSION is true for the last result. check.py defines the names.
found() {
  local words=$1
  shift
  python3 "$here/check.py" "$project/pawl-out/latest/result.json" "$@" >"$log" 2>&1 && ok "$words" && return
  fail "$words"
}

said() {
  local words=$1 text
  shift
  for text in "$@"; do
    grep -qF -- "$text" "$log" && continue
    echo "did not say: $text" >>"$log"
    fail "$words"
    return
  done
  ok "$words"
}

use() { cp "$built/branchy-$1" "$project/branchy"; }

# Ubuntu's perf refuses a kernel that has no tools of its own; a perf for another kernel serves as well.
find_perf() {
  local perf
  for perf in "$(type -P perf)" /usr/lib/linux-tools*/perf /usr/lib/linux-tools/*/perf; do
    if "$perf" --version >/dev/null 2>&1; then PATH=${perf%/*}:$PATH; return; fi
  done
}

# counts EVENTS: all of these events, "cycles,instructions", are counted at once, and all the time.
counts() {
  # shellcheck disable=SC2016
  perf stat -x, -e "$1" -- sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done' 2>&1 >"$log" |
    awk -F, 'NF > 4 { n++; bad += $1 !~ /^[0-9]/ || $5 != "100.00" } END { exit bad || !n }'
}

# Prints the number of counters that count anything.
counters() {
  local n=0 events=branches
  while [[ $n -lt 32 ]] && counts "$events"; do n=$((n + 1)) events+=,branches; done
  echo "$n"
}

# Copies pawl to where an ordinary user finds it, and compiles the programs.
build_here() {
  cp "$B/pawl" "$project/bin/" && "$here/build.sh" "$project/bin" && built=$project/bin PAWL=$project/bin/pawl
}

make_project() {
  mkdir "$project/scenarios"
  cp "$here"/scenarios/*.yaml "$project/scenarios/"
  echo 'scenarios: scenarios' >"$project/pawl.yaml"
  use ordered
}

# Puts a failing valgrind on PATH: every value that is judged then was counted by hardware.
forbid_simulation() {
  printf '#!/bin/sh\necho simulated >>%s/simulated\nexit 9\n' "$project" >"$project/bin/valgrind"
  chmod +x "$project/bin/valgrind"
  PATH=$project/bin:$PATH
}

# -------- tests for a machine with enough counters

unit_tests() {
  local status=0 words
  B=$built "$root/tests/run.sh" --jobs 1 unit/ >"$log" 2>&1 || status=$?
  words="unit tests: $(tail -n 1 "$log")"
  [[ $status -ne 0 ]] || { ok "$words"; return; }
  sed -i '/^ok    /d; /^skip  /d' "$log"
  fail "$words"
}

doctor_in_words() {
  expect 'doctor can measure' 0 doctor
  said 'doctor finds the counters' 'tier hw: hardware counters, kernel and user' "$1 hardware events count at once"
}

doctor_in_json() {
  expect 'doctor speaks JSON' 0 doctor --json
  python3 -c 'import json, sys
machine = json.load(sys.stdin)["machine"]
sys.exit(machine["tier"] != "hw" or machine["counters"] != int(sys.argv[1]) or machine["tier_reason"] is not None)' \
    "$1" <"$log" && ok "doctor finds tier hw, counters: $1" && return
  fail "doctor finds tier hw, counters: $1"
}

take_baseline() {
  expect 'the first run is new' 0 run branchy
  found 'everything was counted, kernel and user, nothing simulated' 'machine["tier"] == "hw"' \
    'machine["class"].endswith("-hw")' '{"cycles", "instructions", "branches", "branch-misses"} <= events' \
    'all_the_time()' 'not any(m.startswith("sim-") for m in columns)' 'verdict("ipc") == "new"' \
    'all(0.2 < v < 8 for v in values("ipc"))' 'all(0.01 < v < 0.2 for v in values("branch-miss-rate"))'
  expect 'a baseline' 0 baseline update --reason 'the ordered data' branchy
  expect 'its second session' 0 baseline update branchy
  expect 'its third session' 0 baseline update branchy
}

judge_shapes() {
  expect 'the same program passes' 0 run branchy
  found 'every gate is judged' \
    'all(verdict(m) == "pass" for m in ("instructions", "ipc", "branch-miss-rate"))'

  use shuffled
  expect 'shuffled data is caught' 1 run branchy
  cp "$log" "$project/shuffled.txt"
  said 'the report names what regressed' 'REGRESSION' 'branch-miss-rate' 'ipc'
  found 'by the branch misses and IPC, not by instructions' 'verdict("branch-miss-rate") == "regression"' \
    'verdict("ipc") == "regression"' 'gate("ipc")["change_pct"] < -10 and gate("ipc")["high_pct"] < 0' \
    'verdict("instructions") == "pass"' 'not gate("instructions")["simulated"]' 'all_the_time()'

  use more
  expect 'more work is caught' 1 run branchy
  found 'by counted instructions, and the time is taken apart' 'verdict("instructions") == "regression"' \
    'not gate("instructions")["simulated"]' '25 < gate("instructions")["change_pct"] < 36' \
    '"is made of: " in explanation' '"% instructions (more work)" in explanation'

  use lean
  expect 'less work in less time passes' 0 run branchy
  found 'although its IPC fell' 'verdict("ipc") == "pass"' 'gate("ipc")["change_pct"] < -10' \
    '"IPC fell because cheap instructions went" in reason("ipc")' 'verdict("instructions") == "improvement"'
  use ordered
}

split_into_groups() {
  expect 'more events than counters' 0 run groups
  found "they are split into $1 groups, and every one is measured all the time" "passes == $1" 'all_the_time()' \
    "'the events need $1 groups of at most $2 counters' in notes" 'len(events) == 13' \
    'all(len(values(e)) >= 3 for e in events)' \
    'all(len(values(m)) >= 3 for m in ("ipc", "branch-miss-rate", "l1d-miss-rate"))' \
    'all(verdict(m) == "new" for m in ("ipc", "branch-miss-rate", "l1d-miss-rate"))'
}

# Not every machine has all these events.
split_as_needed() {
  expect 'more events than counters' 0 run groups
  found 'every event of this machine is measured all the time' 'all_there_is()' 'len(events) == 13' \
    'all(verdict(m) == "new" for m in ("ipc", "branch-miss-rate"))'
}

# Windows on a service that forks its workers after perf was attached. It is counted as $1 says.
attach_to_a_service() {
  expect 'a service that forks' 0 run served
  found 'is counted with its children, all the time' "$@" \
    'all(0.2 < v < 8 for v in values("ipc"))' 'all(0.01 < v < 0.2 for v in values("branch-miss-rate"))' \
    'all(v > 1e6 for v in values("instructions"))' 'all(295 < v < 400 for v in values("wall-time"))' \
    'all(0.5 < c / w < 1.1 for c, w in zip(values("task-clock"), values("wall-time")))'
}

# Another perf takes all counters but three after pawl has checked them. The scenario's setup waits for it.
lose_counters() {
  local events
  [[ $1 -gt 3 ]] || { skip "only $1 counters to take"; return; }
  events=$(printf 'branches:D,%.0s' $(seq 4 "$1"))
  rm -f "$project/wanted" "$project/taken"
  (
    until [[ -e $project/wanted ]]; do sleep 0.1; done
    exec perf stat -o /dev/null -a -e "${events%,}" -- sh -c "touch $project/taken; exec sleep 3600"
  ) &
  expect 'counters that others take meanwhile' 0 run robbed
  kill %% && wait %% 2>/dev/null
  found 'smaller groups are counted instead' 'len(values("ipc")) >= 5' 'len(values("branch-miss-rate")) >= 5' \
    '"was multiplexed" in notes' 'passes > 1' 'notes.count("groups of at most") == 1'
}

at_paranoid() {
  as=(setpriv --reuid 65534 --regid 65534 --clear-groups env -u XDG_RUNTIME_DIR HOME=/tmp)
  chown -R 65534:65534 "$project"
  echo "$1" >"$paranoid"
}

permit_as_before() {
  [[ $(cat $paranoid 2>/dev/null) == "$permitted" ]] || echo "$permitted" >"$paranoid"
  as=()
}

ordinary_user() {
  at_paranoid 2
  expect 'an ordinary user at paranoid 2' 0 run branchy
  found 'counts user work only, and compares it with nothing else' 'machine["tier"] == "hw-user"' \
    'machine["class"].endswith("-hw-user")' 'len(events) == 7 and all(e.endswith(":u") for e in events)' \
    'verdict("ipc") == "not-measured"' '"another machine class" in reason("ipc")' '"paranoid" in machine["tier_reason"]'
  expect 'which is doubtful when strict' 4 run --strict branchy
  expect 'doctor names the remedy' 0 doctor
  said 'in words' 'tier hw-user' 'sudo sysctl kernel.perf_event_paranoid=1'
  expect 'a baseline of user work' 0 baseline update --reason 'user work' branchy
  expect 'it passes' 0 run branchy
  found 'on user work' 'verdict("ipc") == "pass"' 'verdict("instructions") == "pass"' 'all_the_time()'
  use shuffled
  expect 'shuffled data is caught by user work' 1 run branchy
  found 'by the same gates' 'verdict("ipc") == "regression"' 'verdict("branch-miss-rate") == "regression"'
  use ordered
  expect 'kernel events of an ordinary user' 0 run switches
  found 'are not measured, although perf says 0' 'values("context-switches") == []' \
    'verdict("context-switches") == "not-measured"' \
    '"perf reports 0 here whatever happened" in reason("context-switches")'
  permit_as_before
}

# Debian's kernel knows this level.
nothing_permitted() {
  at_paranoid 3
  expect 'nothing is permitted at paranoid 3' 3 run branchy
  said 'and the remedy is named' 'perf_event_paranoid is 3' 'sudo sysctl kernel.perf_event_paranoid=1'
  expect 'doctor says so too' 3 doctor
  permit_as_before
}

simulated_never() {
  [[ ! -e $project/simulated ]] && ok 'valgrind was never started' && return
  cp "$project/simulated" "$log"
  fail 'valgrind was never started'
}

# -------- the machines

on_six() {
  doctor_in_words 6
  doctor_in_json 6
  take_baseline
  judge_shapes
  split_into_groups 2 6
  attach_to_a_service 'passes == 2' 'all_the_time()'
  lose_counters 6
  ordinary_user
  nothing_permitted
  simulated_never
}

# A real machine, whose number of counters and events of caches are its own.
on_counters() {
  expect 'doctor can measure' 0 doctor
  said 'doctor finds the counters' 'tier hw: hardware counters, kernel and user' 'hardware events count at once'
  take_baseline
  judge_shapes
  split_as_needed
  attach_to_a_service 'all_there_is()'
  lose_counters "$(counters)"
  ordinary_user
  simulated_never
}

on_this() {
  if counts branches && counts branch-misses; then on_counters; else on_few_events; fi
}

# Why the tests cannot run here; empty if they can.
why_not_here() {
  if [[ $(id -u) -ne 0 ]]; then
    echo 'only root may take counters away, and become an ordinary user'
  elif ! perf --version >/dev/null 2>&1; then
    echo 'there is no perf'
  elif ! counts cycles || ! counts instructions; then
    echo 'perf counts no cycles and instructions here, and PMU_VM does not name a runner of machines with counters'
  fi
}

on_four() {
  doctor_in_json 4
  expect 'it is measured in one group' 0 run branchy
  found 'of four counters' 'passes == 1' 'all_the_time()' 'len(values("ipc")) == 5'
  split_into_groups 3 4
}

# A rate needs two events at once.
on_one() {
  doctor_in_json 1
  expect 'rates with one counter' 0 run branchy
  found 'are not measured, and said so once' 'verdict("ipc") == "not-measured"' \
    'verdict("branch-miss-rate") == "not-measured"' '"only part of the time" in reason("ipc")' \
    'verdict("instructions") == "new"' 'notes.count("groups of at most") == 1' '"was multiplexed" not in notes'
}

# Its PMU counts only cycles and instructions.
on_few_events() {
  expect 'doctor can measure' 0 doctor
  expect 'events this PMU has not' 0 run branchy
  found 'are not measured, and not zero' 'verdict("ipc") == "new"' 'verdict("instructions") == "new"' \
    'verdict("branch-miss-rate") == "not-measured"' 'values("branches") == []' \
    '"does not support the event" in reason("branch-miss-rate")'
}

trap 'permit_as_before; rm -rf "$project"' EXIT
if [[ $machine == here ]]; then
  find_perf
  why=$(why_not_here)
  [[ -z $why ]] || { skip "$why"; exit; }
  build_here >"$log" 2>&1 || { fail 'pawl and the programs are here'; exit; }
elif [[ ! -x $PAWL ]]; then
  "$here/build.sh" >"$log" 2>&1 || { fail 'pawl builds here'; exit; }
fi
make_project
[[ $machine == plain ]] || forbid_simulation
case $machine in
  here) on_this ;;
  plain) unit_tests ;;
  six) on_six ;;
  four) on_four ;;
  one) on_one ;;
  few-events) on_few_events ;;
esac
cp -r "$project" "$left"
