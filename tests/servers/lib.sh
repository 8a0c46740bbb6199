# Helpers of the server cases; see run.sh. A case measures one of scenarios/servers in a project of
# its own, with results in CASE_DIR:
#
#   project nginx            copies the scenario; from then on nothing may be left behind
#   measured_for_real        pawl's measurements agree with a reading by hand
#   gates_it                 accepts the server and measures it again: no false positive
#   catches WORDS SED-SCRIPT changes the scenario so that the server is slower: a regression
#   ordinary_user            a user other than root can measure it too
#   nothing_left             no process, port, scratch folder or shared memory is left; the others call it
# shellcheck shell=bash disable=SC2154,SC2016,SC2164

. "$SERVERS/../cli/lib.sh"

readonly WINDOWS=6

ok() { printf 'ok    %s\n' "$*"; }

# measure WORDS...: like `expect`, and nothing is left afterwards.
measure() {
  expect "$@"
  nothing_left
}

project() {
  name=$1
  scenario=scenarios/servers/$name.yaml
  mkdir -p scenarios/servers
  cp "$SERVERS/../../scenarios/servers/$name".* scenarios/servers/
  # Profiles would add more than ten seconds a run, and have cases of their own.
  grep -q '^profile:' "$scenario" || echo 'profile: { kinds: [] }' >>"$scenario"
  need jq
  need python3
  remember
}

run_pawl() {
  local wanted=$1 folder=$2
  shift 2
  measure "$wanted" run "$scenario" --out "$CASE_DIR/$folder" --runs "$WINDOWS" "$@"
  file=$CASE_DIR/$folder/result.json
}

# windows_hold N: the last run has at least N windows, and all their numbers are above 0.
windows_hold() {
  holds '.status == 0 and (.scenarios | length) == 1' "$file"
  holds ".scenarios[0].runs | length >= $1" "$file"
  holds '.scenarios[0].runs | all(.work > 0 and .throughput > 0)' "$file"
  holds '.scenarios[0].runs | all(.["task-clock"] > 0 and .["task-clock-per-work"] > 0)' "$file"
  holds '.scenarios[0].runs | all((.["task-clock"] / .work / .["task-clock-per-work"]) as $r | $r > 0.999 and $r < 1.001)' \
    "$file"
  holds '.scenarios[0].runs | all(.["max-rss"] > 1048576)' "$file"
  holds ".scenarios[0].runs | all(.[\"$printed\"] > 0)" "$file"
}

median() { jq "[.scenarios[0].runs[][\"$1\"]] | sort | .[length / 2 | floor]" "$file"; }

# within LOW HIGH A B WORDS: A / B lies between LOW and HIGH.
within() {
  jq -en "($3 / $4) as \$r | \$r > $1 and \$r < $2" >/dev/null || fail "$5: pawl says $3, a reading by hand $4"
}

# measured_for_real PRINTED: PRINTED is the metric that the scenario's load prints.
measured_for_real() {
  local printed=$1 by_hand
  run_pawl 0 first
  windows_hold "$WINDOWS"
  holds '.scenarios[0].gates | any(.metric == "task-clock" and .verdict == "new")' "$file"
  ok "$WINDOWS windows, each with its work and what it cost"
  by_hand=$(python3 "$SERVERS/by_hand.py" "$scenario") || fail "cannot measure $name by hand"
  nothing_left
  within 0.3 3 "$(median throughput)" "$(jq .throughput <<<"$by_hand")" throughput
  within 0.4 2.5 "$(median task-clock-per-work)" "$(jq .cpu_ms_per_work <<<"$by_hand")" 'CPU time per unit of work'
  ok "throughput and CPU time are those of a reading by hand"
}

verdict_of() { result ".scenarios[0].gates[] | select(.metric == \"$1\") | .verdict" "$file"; }

gates_it() {
  measure 0 baseline update "$scenario" --out "$CASE_DIR/accepted" --runs "$WINDOWS"
  run_pawl 0 second
  case $(verdict_of task-clock) in
    pass | inconclusive) ;;
    *) show_kept; fail "task-clock of the same server: $(verdict_of task-clock)" ;;
  esac
  [[ $(verdict_of max-rss) == pass ]] || { show_kept; fail "max-rss: $(verdict_of max-rss)"; }
  ok "the same server again is no regression"
}

# catches WORDS SED-SCRIPT: pawl reports a regression when SED-SCRIPT has changed the scenario.
catches() {
  sed -i.before "$2" "$scenario"
  ! cmp -s "$scenario" "$scenario.before" || fail "the scenario has nothing for '$2' to change"
  run_pawl 1 slower
  [[ $(verdict_of task-clock) == regression ]] || { show_kept; fail "task-clock: $(verdict_of task-clock)"; }
  has "$out" REGRESSION
  mv "$scenario.before" "$scenario"
  ok "caught: $1"
}

# Works in a copy that user 65534 may write to. The user may lack access to the program's folder.
ordinary_user() {
  local printed=$1 paranoid
  if [[ $(id -u) -ne 0 ]]; then
    echo "skip  measured by an ordinary user: all of this was, this is not root"
    return
  fi
  paranoid=$(cat /proc/sys/kernel/perf_event_paranoid)
  if [[ $paranoid -gt 2 ]]; then
    echo "skip  measured by an ordinary user: kernel.perf_event_paranoid is $paranoid, they may not count"
    return
  fi
  need setpriv
  cp "$(readlink -f "$PAWL")" "$CASE_DIR/pawl"
  chmod 755 "$CASE_DIR" "$CASE_DIR/pawl"
  cp -r "$CASE_DIR/project" "$CASE_DIR/theirs"
  mkdir "$CASE_DIR/theirs/runtime"
  chown -R 65534:65534 "$CASE_DIR/theirs"
  printf '#!/bin/sh\nexec setpriv --reuid 65534 --regid 65534 --clear-groups env PATH=%s XDG_RUNTIME_DIR=%s HOME=%s %s "$@"\n' \
    /usr/local/bin:/usr/bin:/bin "$CASE_DIR/theirs/runtime" "$CASE_DIR/theirs" "$CASE_DIR/pawl" >"$CASE_DIR/as-nobody"
  chmod 755 "$CASE_DIR/as-nobody"
  cd "$CASE_DIR/theirs"
  PAWL=$CASE_DIR/as-nobody measure 0 run "$scenario" --out "$CASE_DIR/theirs/out" --runs 3
  file=$CASE_DIR/theirs/out/result.json
  windows_hold 3
  cd "$CASE_DIR/project"
  ok "measured by an ordinary user"
}

# -------- what is left behind

# Prints every process as "NUMBER START NAME". The number alone could be reused.
processes() {
  local stat line name
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    name=${line#*(}
    # shellcheck disable=SC2086
    set -- ${line##*) }
    [[ $1 == Z ]] || echo "${line%% *} ${20} ${name%)*}"
  done | sort
}

# Prints every listening TCP port as "SOCKET PORT".
listening() {
  local address
  awk 'FNR > 1 && $4 == "0A" { sub(/.*:/, "", $2); print $10, $2 }' /proc/net/tcp /proc/net/tcp6 2>/dev/null | sort -u |
    while read -r socket address; do echo "$socket $((16#$address))"; done
}

# Prints the shared memory segments without users.
shared_memory() { awk 'NR > 1 && $7 == 0 { print $2 }' /proc/sysvipc/shm 2>/dev/null | sort; }

remember() {
  processes >"$CASE_DIR/kept/processes"
  listening | sort >"$CASE_DIR/kept/listening"
  shared_memory >"$CASE_DIR/kept/shared"
}

marked() {
  [[ $(readlink "/proc/$1/cwd") == "$CASE_DIR"* ]] || grep -qsaF "$CASE_DIR" "/proc/$1/cmdline" "/proc/$1/environ"
}

# True for a process of this case. A server may have changed to / as daemons do, and overwritten its environment.
ours() {
  marked "$1" && return
  case $2 in
    nginx | redis-server | postgres) [[ $(readlink "/proc/$1/cwd") == / ]] ;;
    *) return 1 ;;
  esac
}

left_running() {
  local pid start name
  comm -13 "$CASE_DIR/kept/processes" "$CASE_DIR/kept/processes.now" | while read -r pid start name; do
    if [[ -e /proc/$pid ]] && ours "$pid" "$name"; then
      echo "still running: $name ($pid, since $start): $(tr '\0' ' ' <"/proc/$pid/cmdline")"
      ! marked "$pid" || kill -KILL "$pid" || true
    fi
  done
}

# Lists the ports that this case left open. Ports of other programs have another owner, or are closed again by now.
left_listening() {
  local socket port owner
  comm -13 "$CASE_DIR/kept/listening" <(listening | sort) | while read -r socket port; do
    owner=$(find /proc/[0-9]*/fd -lname "socket:\[$socket\]" 2>/dev/null | head -n 1 | cut -d/ -f3) || true
    if [[ -z $owner ]] && ! listening | grep -x "$socket $port" >/dev/null; then continue; fi
    if [[ -z $owner ]] || ours "$owner" "$(cat "/proc/$owner/comm")"; then
      echo "still listening: port $port (process ${owner:-unknown})"
    fi
  done
}

nothing_left() {
  local left
  # Written to a file first, so that the helper shells have ended when it is read.
  processes >"$CASE_DIR/kept/processes.now"
  left=$(
    left_listening
    left_running
    find "$TMPDIR" -mindepth 1 -maxdepth 1 | sed 's/^/left behind: /'
    comm -13 "$CASE_DIR/kept/shared" <(shared_memory) | sed 's/^/left behind: shared memory /'
  )
  [[ -z $left ]] || { printf '%s\n' "$left" >&2; fail 'something outlived pawl'; }
}
