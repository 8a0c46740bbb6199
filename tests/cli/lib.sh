# Helpers of the command-line cases. A case is a script CASE.sh that runs after this file, in a new folder, with
#
#   LIB       this file
#   PAWL      the program under test, as an absolute path
#   CASE_DIR  the folder of the case; the working folder is $CASE_DIR/project
#   TMPDIR, XDG_RUNTIME_DIR  below CASE_DIR, so that a case shares no lock with another
#
# Its status, standard output and standard error must equal CASE.exit, CASE.out and CASE.err (0 and
# empty without such a file). `tests/run.sh --update` rewrites these files. The case must leave no
# process and no scratch folder.
# shellcheck shell=bash

out=$CASE_DIR/kept/out
err=$CASE_DIR/kept/err

fail() {
  echo "FAILED: $*" >&2
  exit 99
}

# skip REASON: ends the case, which this machine cannot run.
skip() {
  echo "$*" >&2
  exit 77
}

# need PROGRAM...: skips the case unless every PROGRAM is installed.
need() {
  local program
  for program; do command -v "$program" >/dev/null || skip "$program is not installed"; done
}

# mk_scenario NAME LINE..., or mk_scenario NAME <<YAML: adds `version: 1`, and turns the profile off unless a line begins with
# `profile:`.
mk_scenario() {
  mkdir -p scenarios
  { echo 'version: 1'; if [[ $# -gt 1 ]]; then printf '%s\n' "${@:2}"; else cat; fi; } >"scenarios/$1.yaml"
  grep -q '^profile:' "scenarios/$1.yaml" || echo 'profile: { kinds: [] }' >>"scenarios/$1.yaml"
}

# mk_quick NAME [COMMAND]: a quick scenario with a real command.
mk_quick() {
  mk_scenario "$1" <<YAML
target: { command: "${2:-true}" }
measure: { runs: 3 }
gates: { page-faults: +50% }
YAML
}

# mk_slow LIMIT: scenario a runs ./slow twice without a warm-up. Its CPU time must stay below LIMIT.
mk_slow() {
  chmod +x slow
  mk_scenario a <<YAML
target: { command: [./slow] }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { task-clock: { max: $1 } }
YAML
}

# mk_repo IGNORED...: makes a git repository of the working folder, which ignores pawl-out and IGNORED, and commits all files.
mk_repo() {
  git init -q .
  printf '%s\n' pawl-out "$@" >.gitignore
  commit_all 'the beginning'
}

commit_all() {
  git add -A
  git commit -qm "$1"
}

show_kept() {
  tail -n 30 "$out" | sed 's/^/stdout: /' >&2
  tail -n 30 "$err" | sed 's/^/stderr: /' >&2
}

# ends STATUS COMMAND...: COMMAND must exit with STATUS. $out and $err keep its output.
ends() {
  local wanted=$1 status=0
  shift
  "$@" >"$out" 2>"$err" || status=$?
  [[ $status -eq $wanted ]] && return
  show_kept
  fail "${*/#"$PAWL"/pawl}: status $status, expected $wanted"
}

# expect STATUS ARGUMENTS...: the same for pawl.
expect() { ends "$1" "$PAWL" "${@:2}"; }

# refused ARGUMENTS...: pawl must exit with 2. The case prints its message.
refused() {
  expect 2 "$@"
  cat "$err"
}

# awaited STATUS PID: PID, which the case started in the background, must exit with STATUS.
awaited() {
  local status=0
  wait "$2" || status=$?
  [[ $status -eq $1 ]] || { show_kept; fail "status $status, expected $1"; }
}

# in_file FILE TEXT: true if FILE has the plain TEXT, even wrapped over lines as a terminal's prose is.
in_file() { grep -qF -- "$2" "$1" || tr -s ' \n' ' ' <"$1" | grep -aF -- "$2" >/dev/null; }

# has FILE TEXT..., lacks FILE TEXT...: fail unless FILE has every, or no, TEXT.
has() {
  local file=$1 text
  shift
  for text in "$@"; do
    in_file "$file" "$text" || { sed 's/^/found: /' "$file" | tail -n 40 >&2; fail "'$text' is not in ${file##*/}"; }
  done
}

lacks() {
  local file=$1 text
  shift
  for text in "$@"; do
    ! in_file "$file" "$text" || { sed 's/^/found: /' "$file" | tail -n 40 >&2; fail "'$text' is in ${file##*/}"; }
  done
}

first_line_has() {
  head -n 1 "$1" >"$CASE_DIR/kept/first"
  has "$CASE_DIR/kept/first" "$2"
}

# result FILTER [FILE]: prints jq's output for the last run's result, or for FILE.
result() { jq -r "$1" "${2:-pawl-out/latest/result.json}"; }

# holds FILTER [FILE]: fails unless jq's FILTER is true.
holds() {
  [[ $(result "$1" "${2:-pawl-out/latest/result.json}") == true ]] ||
    fail "$1 does not hold: $(result '.scenarios[] | {name, state, failure, notes, gates: [.gates[] | {metric, verdict, reason}]}' \
      "${2:-pawl-out/latest/result.json}")"
}

# failure NAME TEXT...: fails unless scenario NAME of the last run failed with every TEXT, or printed it.
failure() {
  result ".scenarios[] | select(.name == \"$1\") | .failure, (.log_tail // empty)" >"$CASE_DIR/kept/failure"
  has "$CASE_DIR/kept/failure" "${@:2}"
}

# noted TEXT...: fails unless the notes of the last run's scenarios have every TEXT.
noted() {
  result '.scenarios[].notes[]' >"$CASE_DIR/kept/notes"
  has "$CASE_DIR/kept/notes" "$@"
}

# nothing_measured: fails if pawl made a folder for a run.
nothing_measured() { [[ ! -e pawl-out ]] || fail "pawl-out was made although nothing may be measured"; }

# soon COMMAND...: retries until COMMAND succeeds, for up to a minute, which a loaded machine may need.
soon() {
  local end=$((SECONDS + 60))
  while ((SECONDS < end)); do
    if "$@" 2>/dev/null; then return; fi
    sleep 0.05
  done
  return 1
}

eventually() { soon "$@" || fail "never came true: $*"; }

# running MARKER: prints the processes with MARKER in their command line. False without any.
running() {
  local found
  # The brackets keep grep from matching itself. Processes that end meanwhile are not an error.
  found=$(grep -lsa -- "[${1:0:1}]${1:1}" /proc/[0-9]*/cmdline | grep -oE '[0-9]+') || true
  [[ -n $found ]] && echo "$found"
}

# tidy: true if no scratch folder is left.
tidy() { [[ -z $(ls -A "$TMPDIR") ]]; }

none_running() { ! running "$1" >/dev/null; }

# running_or_ended MARKER PID: like running; true too if process PID has ended.
running_or_ended() { running "$1" || ! kill -0 "$2"; }

# gone MARKER: fails unless all processes with MARKER end.
gone() {
  soon none_running "$1" ||
    fail "still running: $(for p in $(running "$1"); do tr '\0' ' ' <"/proc/$p/cmdline" || true; done 2>&1)"
}

# mk_perf <<SH: makes $PWD/perf, a fake perf. The script may call "$REAL_PERF" "$@", whose rows are then in $file.
# pawl gets $file when the script ends. The script survives an interrupt.
# The script may also exec "$TRUE_PERF" "$@".
mk_perf() {
  TRUE_PERF=$(command -v perf) || skip 'perf is not installed'
  export TRUE_PERF REAL_PERF=$PWD/real-perf PAWL_PERF=$PWD/perf
  printf '#!/bin/bash\nif [[ -n ${file:-} ]]; then exec 4>"$file"; fi\nexec "$TRUE_PERF" "$@"\n' >real-perf
  {
    echo '#!/bin/bash'
    echo 'trap : INT'
    echo 'export file='
    echo 'if [[ " $* " == *" --log-fd 4 "* ]]; then'
    echo '  file=$PWD/rows.$$'
    echo "  trap '[[ ! -e \$file ]] || { cat \"\$file\" >&4; rm \"\$file\"; }' EXIT"
    echo 'fi'
    cat
  } >perf
  chmod +x perf real-perf
}

# be_ordinary: makes $PAWL run as a user without cgroups who cannot read other users' environments, with a copy that this
# user may run.
be_ordinary() {
  [[ $(id -u) -eq 0 ]] || return 0
  local user=(setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs)
  cp "$(readlink -f "$PAWL")" "$CASE_DIR/pawl"
  chown -R 65534:65534 "$CASE_DIR"
  chmod 755 "$CASE_DIR"
  rm -rf "${XDG_RUNTIME_DIR:?}"/*
  "${user[@]}" test -x "$CASE_DIR/pawl" || skip "user 65534 may not run $CASE_DIR/pawl"
  printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${user[*]}" "$CASE_DIR/pawl" >"$CASE_DIR/kept/pawl"
  chmod +x "$CASE_DIR/kept/pawl"
  PAWL=$CASE_DIR/kept/pawl
}

need_root() { [[ $(id -u) -eq 0 ]] || skip 'only root can change users'; }

# interrupted SIGNAL MARKER ARGUMENT...: runs pawl until a process with MARKER exists and sends it SIGNAL.
# It must exit with 128 + SIGNAL, with its children gone and its lock free.
interrupted() {
  local signal=$1 marker=$2 pawl number
  shift 2
  number=$(kill -l "$signal")
  # Without job control background processes of a script ignore SIGINT, which env restores.
  env --default-signal=INT "$PAWL" "$@" >"$out" 2>"$err" &
  pawl=$!
  soon running_or_ended "$marker" "$pawl" >/dev/null && running "$marker" >/dev/null || { show_kept; fail "'$marker' never ran"; }
  kill -s "$signal" "$pawl"
  awaited $((128 + number)) "$pawl"
  gone "$marker"
  lock_is_free
}

lock_is_free() { flock -n "$XDG_RUNTIME_DIR/pawl.lock" true || fail 'the lock is still held'; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# mk_server: makes $PWD/server.py, which burns a millisecond of CPU per request, and $PWD/client.py,
# which sends requests: client.py PORT COUNT, or client.py PORT SECONDSs.
mk_server() {
  need python3
  cat >server.py <<'PY'
import argparse, os, signal, socket, sys, time

args = argparse.ArgumentParser()
args.add_argument('port', type=int)
args.add_argument('--daemon', action='store_true', help='fork twice, in a session of its own')
args.add_argument('--forget', action='store_true', help='start again with an empty environment')
args.add_argument('--stubborn', action='store_true', help='ignore what asks it to end')
args.add_argument('--crash-after', type=int, default=-1)
args.add_argument('--late', type=float, default=0, help='seconds before it listens')
args.add_argument('--say', default='')
args.add_argument('--pidfile', default='')
args.add_argument('--workers', type=int, default=0)
o = args.parse_args()

if o.forget and os.environ.get('PAWL_JOB'):
    os.execve(sys.executable, [sys.executable] + sys.argv, {})
if o.daemon:
    if os.fork():
        os._exit(0)
    os.setsid()
    if os.fork():
        os._exit(0)
if o.stubborn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
else:
    signal.signal(signal.SIGTERM, lambda *a: os._exit(0))
time.sleep(o.late)
s = socket.socket()
s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
s.bind(('127.0.0.1', o.port))
s.listen(64)
if o.pidfile:
    open(o.pidfile, 'w').write('%d\n' % os.getpid())
print(o.say or 'listening on %d' % o.port, flush=True)
for i in range(o.workers):
    if not os.fork():
        break
n = 0
while True:
    c, _ = s.accept()
    end = time.process_time() + 0.001
    while time.process_time() < end:
        pass
    n += 1
    if n == o.crash_after:
        print('giving up', flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    try:
        c.recv(1000)
        c.send(b'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n')
    except OSError:
        pass
    c.close()
PY
  cat >client.py <<'PY'
import socket, sys, time

port, much = int(sys.argv[1]), sys.argv[2]
start, n = time.monotonic(), 0
while time.monotonic() - start < float(much[:-1]) if much.endswith('s') else n < int(much):
    c = socket.create_connection(('127.0.0.1', port))
    c.send(b'GET / HTTP/1.0\r\n\r\n')
    while c.recv(1000):
        pass
    c.close()
    n += 1
took = time.monotonic() - start
print('did %d requests in %.3f s' % (n, took))
print('rate %.1f requests per second, p99 %.2f ms' % (n / took, took / n * 1000))
PY
}

# server_scenario NAME SERVER_OPTIONS LOAD_AMOUNT AS <<YAML: server.py under client.py. Standard input
# is appended. AS is rate or count.
server_scenario() {
  mk_server
  mk_scenario "$1" <<YAML
env:
  - name: web
    command: [python3, "$PWD/server.py", "\${port}"$([[ -z $2 ]] || printf ', "%s"' $2)]
    ready: { tcp: "127.0.0.1:\${port}", timeout: 10s }
    stop: { grace: 1s }
target: { service: web }
warmup: { runs: 0 }
load:
  command: [python3, "$PWD/client.py", "\${port}", "$3"]
  work: { regex: $([[ $4 == rate ]] && echo "'rate ([0-9.]+)'" || echo "'did ([0-9]+)'"), as: $4, unit: request }
$(cat)
YAML
}

# c_server NAME AMOUNT <<YAML: a scenario with service ./server. build_server FILE [OPTIONS] compiles it from server.c.
# It answers AMOUNT requests of client.py per window. A request has 18 bytes. -DSTEP=N reads N bytes at once, and
# -DKEEP=N frees all but N bytes of the memory of each request.
c_server() {
  need cc
  mk_server
  cat >server.c <<'C'
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifndef STEP
#define STEP 18
#endif
#ifndef KEEP
#define KEEP 0
#endif
enum { REQUEST = 18, TAKEN = 8000 };
static const char answer[] = "HTTP/1.0 200 OK\r\n\r\nok\n";

__attribute__((noinline)) static void read_request(int fd, char *to)
{
	for (ssize_t n, at = 0; at < REQUEST && (n = read(fd, to + at, STEP)) > 0;)
		at += n;
}

/* Never freed; the string keeps GCC from leaving the allocation out. */
__attribute__((noinline)) static void remember(const char *request)
{
	char *kept = malloc(TAKEN), *less;

	memset(kept, request[0], TAKEN);
	less = KEEP ? realloc(kept, KEEP) : kept;
	__asm__ volatile("" : : "r"(less) : "memory");
	if (!KEEP)
		free(less);
}

__attribute__((noinline)) static void work(void)
{
	for (volatile int i = 0; i < 10000; i++)
		;
}

int main(int argc, char **argv)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int s = socket(AF_INET, SOCK_STREAM, 0), on = 1;

	at.sin_port = htons(argc > 1 ? (unsigned short)atoi(argv[1]) : 0);
	setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(s, (void *)&at, sizeof at) < 0 || listen(s, 64) < 0)
		return 1;
	for (;;) {
		char request[REQUEST] = "";
		int c = accept(s, NULL, NULL);

		read_request(c, request);
		remember(request);
		work();
		if (write(c, answer, sizeof answer - 1) < 0)
			return 1;
		close(c);
	}
}
C
  mk_scenario "$1" <<YAML
env:
  - name: web
    command: [./server, "\${port}"]
    ready: { tcp: "127.0.0.1:\${port}", timeout: 10s }
target: { service: web }
load:
  command: [python3, "$PWD/client.py", "\${port}", "$2"]
  work: { regex: 'did ([0-9]+)', as: count, unit: request }
$(cat)
YAML
}

build_server() {
  local file=$1
  shift
  cc -O1 -g -fno-omit-frame-pointer -o "$file" "$@" server.c || skip 'nothing can be compiled here'
}

# mk_burner: makes $PWD/burner MILLISECONDS [THREADS]. hot() takes nine tenths of its CPU time, warm() the rest.
# Threads are named worker-0, ...
mk_burner() {
  need cc
  cat >burner.c <<'C'
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

static volatile double sink;
static long rounds;

__attribute__((noinline)) void hot(int n) { for (int i = 0; i < n; i++) sink += i * 0.5; }
__attribute__((noinline)) void warm(int n) { for (int i = 0; i < n; i++) sink += i * 0.5; }

static void *work(void *name)
{
	if (name)
		prctl(PR_SET_NAME, name);
	for (long i = 0; i < rounds; i++) {
		hot(9000);
		warm(1000);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t threads[16];
	char names[16][16];

	/* Some forty rounds a millisecond; how many hardly matters. */
	rounds = atol(argv[1]) * 40;
	for (int i = 0; i < n && i < 16; i++) {
		snprintf(names[i], sizeof names[i], "worker-%d", i);
		pthread_create(&threads[i], NULL, work, names[i]);
	}
	for (int i = 0; i < n && i < 16; i++)
		pthread_join(threads[i], NULL);
	return n ? 0 : (work(NULL), 0);
}
C
  cc -O1 -g -fno-omit-frame-pointer -pthread -o burner burner.c || skip 'nothing can be compiled here'
}

# profiled NAME: fails unless the last run has a complete profile of NAME. Skips the case if perf cannot sample here.
profiled() {
  folder=pawl-out/latest/$1
  if grep -q 'no profile could be taken: perf record cannot attach' <<<"$(result '.scenarios[].notes[]')"; then
    skip "perf cannot sample here: $(result '.scenarios[].notes[]')"
  fi
  local file
  for file in perf.data stacks.folded flamegraph.svg top.md; do
    [[ -s $folder/$file ]] || fail "there is no $file: $(ls "$folder"), $(result '.scenarios[].notes[]')"
  done
}

# weight REGEX: prints the share of the folded weight whose stacks match, as a whole percentage.
weight() { awk -v re="$1" '{ all += $NF } $0 ~ re { sum += $NF } END { printf "%d\n", all ? 100 * sum / all : 0 }' "$folder/stacks.folded"; }

# heavy REGEX LEAST, light REGEX MOST: fail unless the weight is at least LEAST, or at most MOST.
heavy() { [[ $(weight "$1") -ge $2 ]] || fail "$1 has $(weight "$1") %, not $2: $(sort -t' ' -k2 "$folder/stacks.folded" | head -n 30)"; }
light() { [[ $(weight "$1") -le $2 ]] || fail "$1 has $(weight "$1") %, not at most $2"; }

recordings() { find "$folder" -name 'perf*.data' | wc -l; }

# mk_judged: a project whose base, origin/main, gates the page faults of ./prog, with a baseline. `slower` or any edit
# is then the change, and pull STATUS ARGUMENTS... runs pawl in its pull request.
mk_judged() {
  printf '#!/bin/sh\nexec true\n' >prog
  chmod +x prog
  printf 'gates: { task-clock: off, page-faults: +50%% }\nprofile: { kinds: [] }\n' >pawl.yaml
  mkdir -p scenarios
  printf 'version: 1\ntags: [gate]\ntarget: { command: [./prog] }\nmeasure: { runs: 3 }\n' >scenarios/a.yaml
  expect 0 baseline update --reason first
  mk_repo
  git update-ref refs/remotes/origin/main HEAD
  rm -rf pawl-out
}

# slower: ./prog with nine times the page faults.
slower() { printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do /bin/true; done\n' >prog; }

pull() { GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main expect "$@"; }

# judge_says TEXT...: the last run's banner has TEXT. The JUnit file has it without the terminal's line breaks.
judge_says() { has pawl-out/latest/junit.xml "$@"; }

# caught WORDS...: the slower ./prog is a regression in the pull request, and the banner has the WORDS.
caught() {
  pull 1 run
  first_line_has "$out" 'REGRESSION a '
  has "$out" '  warning  JUDGE EDITED'
  judge_says 'what judged are the files of origin/main' "$@"
  has "$out" "pawl run a --judge $(git rev-parse --short=12 origin/main)"
  holds '.judge.ref == "origin/main" and .scenarios[0].gates[0].tolerance_pct == 50'
}

# -------- comparisons in pairs

# Cached trees are below the case's folder.
XDG_CACHE_HOME=$CASE_DIR/cache
BUILDS=$CASE_DIR/kept/builds
export XDG_CACHE_HOME BUILDS

# mk_work N: build.sh makes ./work from N in the file `amount`: about N times 60 ms of CPU time, plus Python's start.
mk_work() {
  need python3
  echo "$1" >amount
  cat >build.sh <<'SH'
echo "building in $PWD"
echo built >>"$BUILDS"
printf '#!/usr/bin/env python3\nfor i in range(%s * 2500000): pass\n' "$(cat amount)" >work
chmod +x work
SH
  printf 'build: sh build.sh\n' >pawl.yaml
  mk_scenario work 'target: { command: [./work] }' 'gates: { task-clock: default }'
}

# mk_work_repo N [BASE]: a repository of mk_work. Commit `base` has amount BASE (1), the working tree N. With 0 it is over
# at once.
mk_work_repo() {
  mk_work "${2:-1}"
  mk_repo work
  git tag base
  echo "$1" >amount
}

builds() { [[ ! -e $BUILDS ]] && echo 0 || wc -l <"$BUILDS"; }
trees() { find "$XDG_CACHE_HOME/pawl/trees" -mindepth 2 -maxdepth 2 -type d 2>/dev/null | wc -l; }

# mk_program MILLISECONDS: work.c takes that much CPU time. pawl.yaml builds ./work, with the compiler's temporary
# files in the tree.
mk_program() {
  need cc
  printf '%s\n' 'static volatile double sink;' \
    '__attribute__((noinline)) void hot(int n) { for (int i = 0; i < n; i++) sink += i * 0.5; }' \
    "int main(void) { for (int i = 0; i < 40 * $1; i++) hot(10000); return 0; }" >work.c
  echo 'build: TMPDIR=. cc -O1 -g -fno-omit-frame-pointer -o work work.c' >pawl.yaml
}

# mk_worker: a repository whose bin/worker, started by run.sh, does four times the work of commit `base`.
mk_worker() {
  need cc
  mkdir -p src "$CASE_DIR/installed" "$CASE_DIR/links"
  cat >src/work.c <<'C'
int main(void) { volatile unsigned long s = 0; for (unsigned long i = 0; i < ROUNDS * 1000000ul; i++) s += i; return 0; }
C
  printf 'exec "$(dirname "$0")/bin/worker"\n' >run.sh
  echo 10 >rounds
  echo 'build: mkdir -p bin; cc -O1 -DROUNDS=$(cat rounds) -o bin/worker src/work.c' >pawl.yaml
  mk_repo bin
  git tag base
  echo 40 >rounds
  commit_all 'four times the work'
}

# work_named NAME COMMAND: a scenario that measures COMMAND.
work_named() { printf 'target: { command: %s }\ngates: { task-clock: default, symbols: off }\n' "$2" | mk_scenario "$1"; }

# mk_commits N: a new repository with N empty commits, one per day from 2026-10-01. The array `commits` has their ids.
mk_commits() {
  local i
  git init -q -b main .
  for ((i = 1; i <= $1; i++)); do
    printf 'commit refs/heads/main\ncommitter pawl <pawl@example.com> %d +0000\ndata <<END\nchange %d\nEND\n' $((1790769600 + i * 86400)) "$i"
  done | git fast-import --quiet
  mapfile -t commits < <(git rev-list --reverse main)
}

# mk_results <<LINES: results of scenario `parse`, one per line: FILE COMMIT DATE CLOCK FAULTS [PART]. The runs take about
# CLOCK milliseconds.
mk_results() {
  local file result
  while read -r file && read -r result; do
    mkdir -p "${file%/*}"
    echo "$result" >"$file"
  done < <(jq -Rrc 'split(" ") | (.[3] | tonumber) as $clock | .[0],
    ({schema: 1, mode: "stored", status: 0, partial: false, command: "pawl run", date: .[2], pawl: "0.1.0", commit: .[1],
     machine: {arch: "x86_64", cpu: "Xeon", part: (.[5] // "xeon-4cpu"), cpus: 4, tier: "sw", kernel: "6.1", os: "Debian"},
     scenarios: [{name: "parse", path: "scenarios/parse.yaml", state: "measured", status: 0, runs_wanted: 3,
       settings: {command: ["./parse"]},
       gates: [{metric: "task-clock", relative: true, tolerance_pct: 5, verdict: "pass"},
         {metric: "page-faults", relative: true, tolerance_pct: 5, verdict: "pass"}],
       runs: [(0.999, 1, 1.001) as $x | {"task-clock": ($clock * $x), "user-time": ($clock * $x * 0.9), "page-faults": (.[4] | tonumber)}]}]}
     | tojson)')
}

# mk_archive DIR CLOCK...: one result with CLOCK for each of `commits`, in order. "-" skips a commit.
mk_archive() {
  local dir=$1 i=0 clock day
  shift
  for clock in "$@"; do
    TZ=UTC printf -v day '%(%F)T' $((1790769600 + (i + 1) * 86400))
    [[ $clock == - ]] || echo "$dir/$i.json ${commits[i]:0:12} ${day}T13:00:00Z $clock 100"
    i=$((i + 1))
  done | mk_results
}

# wobbly LEVEL N: prints N numbers around LEVEL, with the spread of a quiet machine.
wobbly() { awk -v level="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%.4f ", level * (1 + (i * 7 % 5 - 2) / 500) }'; }

# mk_spin ROUNDS [GATE]: a repository whose scenario `spin` gates the CPU time of ./spin, a C program that pawl.yaml builds.
# The file `rounds` says how much it does, a seventh of a millisecond each; `respin ROUNDS` changes that and builds it. Its
# loop stays in registers: how fast memory on the stack is depends on its address, which differs from run to run.
mk_spin() {
  need cc
  cat >spin.c <<'C'
int main(void) { unsigned long s = 1; for (unsigned long i = 0; i < ROUNDS * 100000ul; i++) s = s * 2654435761ul + i; return s == 1; }
C
  echo 'build: sh build.sh' >pawl.yaml
  echo 'echo built >>"$BUILDS"; cc -O1 -DROUNDS=$(cat rounds) -o spin spin.c' >build.sh
  mk_scenario spin 'target: { command: ./spin }' 'measure: { runs: 5, budget: 30s }' "gates: { ${2:-task-clock: default} }"
  mk_repo /spin
  respin "$1"
  commit_all "$1 rounds"
}

# mk_counted <<YAML: a repository whose scenario `a` measures ./work, a C program that pawl.yaml builds with the rounds of
# `rounds`.
mk_counted() {
  need cc valgrind
  cat >work.c <<'C'
int main(void) { volatile int sum = 0; for (int i = 0; i < ROUNDS; i++) sum += i; return 0; }
C
  echo 'build: cc -O1 -DROUNDS=$(cat rounds) -o work work.c' >pawl.yaml
  echo 200000 >rounds
  mk_scenario a
  mk_repo /work
  cc -O1 -DROUNDS=200000 -o work work.c
}

respin() {
  echo "$1" >rounds
  sh build.sh
}

# mk_google: bench.cc for Google Benchmark. With SLOWER one benchmark does more, one is gone and one is new.
mk_google() {
  need g++
  cat >bench.cc <<'CC'
#include <benchmark/benchmark.h>
#ifndef SLOWER
#define SLOWER 0
#endif
static volatile int slower = SLOWER;
static int work(int n) { volatile unsigned h = 1; for (int i = 0; i < n; i++) h = h * 31 + i; return h; }
template <class T> void Set(benchmark::State &s) { for (auto _ : s) benchmark::DoNotOptimize(work(200)); }
static void BM_parse(benchmark::State &s)
{
	int n = s.range(0) == 512 && slower ? 800 : s.range(0);
	for (auto _ : s) benchmark::DoNotOptimize(work(n));
}
static void BM_skip(benchmark::State &s) { s.SkipWithError("no device"); for (auto _ : s) ; }
static void BM_wall(benchmark::State &s) { for (auto _ : s) benchmark::DoNotOptimize(work(100)); }
static void BM_one(benchmark::State &s) { for (auto _ : s) benchmark::DoNotOptimize(work(300)); }
BENCHMARK(BM_parse)->Arg(64)->Arg(512);
BENCHMARK_TEMPLATE(Set, char *);
BENCHMARK(BM_skip);
BENCHMARK(BM_wall)->UseRealTime();
BENCHMARK(BM_one)->Name(SLOWER ? "BM_new" : "BM_gone");
BENCHMARK_MAIN();
CC
  g++ -O1 -o bench bench.cc -lbenchmark -lpthread 2>/dev/null || skip 'libbenchmark-dev is not installed'
}

# mk_micro HARNESS COMMAND [FILTER] <<YAML: scenario micro, and the folder ../base, a copy of this one unless it exists.
mk_micro() {
  { echo "target: { command: $2, harness: $1${3:+, filter: '$3'} }"
    echo 'measure: { window: 60ms, budget: 30s }'
    cat; } | mk_scenario micro
  [[ -d $CASE_DIR/base ]] || cp -r . "$CASE_DIR/base"
}

# verdicts: prints the metric and the verdict of each gate, sorted.
verdicts() { result '.scenarios[0].gates[] | select(.metric != "symbols") | "\(.metric) \(.verdict)"' | LC_ALL=C sort; }
