#!/bin/bash
# The tests inside the emulated machine, started by run.sh: in-guest.sh plain|six|four|one|few-events
# The status is 0 once the tests have run. Lines that begin with FAIL say which failed.
set -u

machine=$1
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
built=$root/build/guest
PAWL=$built/pawl
paranoid=/proc/sys/kernel/perf_event_paranoid
project=$(mktemp -d /tmp/project.XXXXXX)
chmod 755 "$project"
log=$project/said
as=()
export CASE_SECONDS=900 # the machine is slow

ok() { printf 'ok    pmu/%s: %s\n' "$machine" "$1"; }
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

make_project() {
  mkdir "$project/scenarios"
  cp "$here"/scenarios/*.yaml "$project/scenarios/"
  echo 'scenarios: scenarios' >"$project/pawl.yaml"
  use ordered
}

# Puts a failing valgrind on PATH: every value that is judged then was counted by hardware.
forbid_simulation() {
  mkdir "$project/bin"
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
    'all(0.5 < v < 4 for v in values("ipc"))' 'all(0.01 < v < 0.2 for v in values("branch-miss-rate"))'
  expect 'a baseline' 0 baseline update --reason 'the ordered data' branchy
  expect 'its second session' 0 baseline update branchy
  expect 'its third session' 0 baseline update branchy
}

judge_shapes() {
  expect 'the same program passes' 0 run branchy
  found 'every gate is judged' \
    'all(verdict(m) == "pass" for m in ("task-clock", "instructions", "ipc", "branch-miss-rate"))'

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
    'not gate("instructions")["simulated"]' '30 < gate("instructions")["change_pct"] < 36' \
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

# Windows on a service that forks its workers after perf was attached.
attach_to_a_service() {
  expect 'a service that forks' 0 run served
  found 'is counted with its children, all the time' "passes == $1" 'all_the_time()' \
    'all(0.5 < v < 4 for v in values("ipc"))' 'all(0.01 < v < 0.2 for v in values("branch-miss-rate"))' \
    'all(v > 1e6 for v in values("instructions"))' 'all(295 < v < 400 for v in values("wall-time"))' \
    'all(0.5 < c / w < 1.1 for c, w in zip(values("task-clock"), values("wall-time")))'
}

# Another perf takes counters after pawl has checked them. The scenario's setup waits until they are taken.
lose_counters() {
  rm -f "$project/wanted" "$project/taken"
  (
    until [[ -e $project/wanted ]]; do sleep 0.1; done
    exec perf stat -o /dev/null -a -e cycles:D,instructions:D,branches:D -- \
      sh -c "touch $project/taken; exec sleep 3600"
  ) &
  expect 'counters that others take meanwhile' 0 run robbed
  kill %% && wait %% 2>/dev/null
  found 'smaller groups are counted instead' 'len(values("ipc")) >= 5' 'len(values("branch-miss-rate")) >= 5' \
    '"was multiplexed" in notes' 'passes > 1' 'notes.count("groups of at most") == 1'
}

ordinary_user() {
  as=(setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/tmp)
  chown -R 65534:65534 "$project"
  echo 2 >"$paranoid"
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

  echo 3 >"$paranoid"
  expect 'nothing is permitted at paranoid 3' 3 run branchy
  said 'and the remedy is named' 'perf_event_paranoid is 3' 'sudo sysctl kernel.perf_event_paranoid=1'
  expect 'doctor says so too' 3 doctor
  echo -1 >"$paranoid"
  as=()
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
  attach_to_a_service 2
  lose_counters
  ordinary_user
  simulated_never
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

[[ -x $PAWL ]] || "$here/build.sh" >"$log" 2>&1 || { fail 'pawl builds here'; exit; }
make_project
[[ $machine == plain ]] || forbid_simulation
case $machine in
  plain) unit_tests ;;
  six) on_six ;;
  four) on_four ;;
  one) on_one ;;
  few-events) on_few_events ;;
esac
cp -r "$project" "$root/left"
