# Helpers of the command-line cases. A case is a script CASE.sh that runs in a fresh folder with
#
#   PAWL      the program under test, as an absolute path
#   CASE_DIR  a folder of its own; the working folder is $CASE_DIR/project
#   TMPDIR, XDG_RUNTIME_DIR  below CASE_DIR, so that a case shares no lock with another
#
# Its status, standard output and standard error must be what CASE.exit, CASE.out and CASE.err
# hold (0 and nothing, when there is no such file). `tests/run.sh --update` rewrites them. After
# it, no process and no scratch folder may be left.
# shellcheck shell=bash

out=$CASE_DIR/kept/out
err=$CASE_DIR/kept/err

fail() {
  echo "FAILED: $*" >&2
  exit 99
}

# skip REASON: this machine cannot run the case.
skip() {
  echo "$*" >&2
  exit 77
}

need() { command -v "$1" >/dev/null || skip "$1 is not installed"; }

# mk_scenario NAME <<YAML: `version: 1` is added, and no profile is taken unless a line begins with `profile:`.
mk_scenario() {
  mkdir -p scenarios
  { echo 'version: 1'; cat; } >"scenarios/$1.yaml"
  grep -q '^profile:' "scenarios/$1.yaml" || echo 'profile: { kinds: [] }' >>"scenarios/$1.yaml"
}

# A scenario that starts something real and is quick: mk_quick NAME [COMMAND]
mk_quick() {
  mk_scenario "$1" <<YAML
target: { command: "${2:-true}" }
measure: { runs: 3 }
gates: { page-faults: +50% }
YAML
}

# mk_slow LIMIT: scenario a is ./slow, which must stay below LIMIT of CPU time, twice and without a warm-up.
mk_slow() {
  chmod +x slow
  mk_scenario a <<YAML
target: { command: [./slow] }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { task-clock: { max: $1 } }
YAML
}

# judge_minor_faults: of scenario a, with what is in the place of its rows once a file `armed` is there.
judge_minor_faults() {
  mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
measure: { runs: 2, events: [minor-faults] }
gates: { page-faults: +50%, minor-faults: +10% }
YAML
  expect 0 run
  result '.scenarios[0].gates[] | "\(.metric) \(.verdict) \(.reason)"'
}

# A git repository of the working folder, with everything in it committed.
mk_repo() {
  git init -q .
  echo pawl-out >.gitignore
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

# expect STATUS ARGUMENTS...: pawl ends so; what it prints is kept in $out and $err.
expect() {
  local wanted=$1 status=0
  shift
  "$PAWL" "$@" >"$out" 2>"$err" || status=$?
  [[ $status -eq $wanted ]] && return
  show_kept
  fail "pawl $*: status $status, expected $wanted"
}

# in_file FILE TEXT: plain text, anywhere in a line, or broken over lines as a terminal's prose is.
in_file() { grep -qF -- "$2" "$1" || tr -s ' \n' ' ' <"$1" | grep -aF -- "$2" >/dev/null; }

# has FILE TEXT..., lacks FILE TEXT...
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

# result FILTER [FILE]: what jq says of the last run's result, or of FILE.
result() { jq -r "$1" "${2:-pawl-out/latest/result.json}"; }

# holds FILTER [FILE]: jq finds it true.
holds() {
  [[ $(result "$1" "${2:-pawl-out/latest/result.json}") == true ]] ||
    fail "$1 does not hold: $(result '.scenarios[] | {name, state, failure, notes, gates: [.gates[] | {metric, verdict, reason}]}' \
      "${2:-pawl-out/latest/result.json}")"
}

# nothing_measured: pawl made no folder for a run.
nothing_measured() { [[ ! -e pawl-out ]] || fail "pawl-out was made although nothing may be measured"; }

# soon COMMAND...: it succeeds within a minute, which a loaded machine may need.
soon() {
  local end=$((SECONDS + 60))
  while ((SECONDS < end)); do
    if "$@" 2>/dev/null; then return; fi
    sleep 0.05
  done
  return 1
}

eventually() { soon "$@" || fail "never came true: $*"; }

# running MARKER: the processes that have MARKER in their command line; false when there is none.
running() {
  local found
  # The brackets keep grep from finding itself; processes that end meanwhile are no error.
  found=$(grep -lsa -- "[${1:0:1}]${1:1}" /proc/[0-9]*/cmdline | grep -oE '[0-9]+') || true
  [[ -n $found ]] && echo "$found"
}

# tidy: no scratch folder is left.
tidy() { [[ -z $(ls -A "$TMPDIR") ]]; }

none_running() { ! running "$1" >/dev/null; }

# gone MARKER: none of them is left.
gone() {
  soon none_running "$1" ||
    fail "still running: $(for p in $(running "$1"); do tr '\0' ' ' <"/proc/$p/cmdline" || true; done 2>&1)"
}

# A perf that plays tricks: mk_perf <<SH makes $PWD/perf, which may call "$REAL_PERF" "$@". Then $file holds the rows that
# the real one counted, which pawl gets when the script ends; and the script lives on when it is interrupted. It may as well
# exec "$TRUE_PERF" "$@".
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

# From here on $PAWL runs as a user who may make no cgroup and see no stranger's environment.
be_ordinary() {
  [[ $(id -u) -eq 0 ]] || return 0
  local user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  chown -R 65534:65534 "$CASE_DIR"
  "${user[@]}" test -x "$PAWL" || skip "user 65534 may not run $PAWL"
  printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${user[*]}" "$PAWL" >"$CASE_DIR/kept/pawl"
  chmod +x "$CASE_DIR/kept/pawl"
  PAWL=$CASE_DIR/kept/pawl
}

need_root() { [[ $(id -u) -eq 0 ]] || skip 'only root can change users'; }

# interrupted SIGNAL MARKER SCENARIO...: pawl runs until a process with MARKER is there, gets
# SIGNAL, and must end with 128 + SIGNAL within seconds, with its children gone and its lock free.
interrupted() {
  local signal=$1 marker=$2 status=0 pawl number
  shift 2
  number=$(kill -l "$signal")
  # Without job control a script's background processes ignore SIGINT; env restores it.
  env --default-signal=INT "$PAWL" "$@" >"$out" 2>"$err" &
  pawl=$!
  eventually running "$marker" >/dev/null
  kill -s "$signal" "$pawl"
  wait "$pawl" || status=$?
  [[ $status -eq $((128 + number)) ]] || { show_kept; fail "SIG$signal: status $status"; }
  gone "$marker"
  lock_is_free
}

lock_is_free() { flock -n "$XDG_RUNTIME_DIR/pawl.lock" true || fail 'the lock is still held'; }

# mk_server: $PWD/server.py, a real server that burns a millisecond of CPU a request, and
# $PWD/client.py, which sends requests: client.py PORT COUNT, or PORT SECONDS with an s behind.
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

# server_scenario NAME SERVER_OPTIONS LOAD_AMOUNT AS <<YAML: server.py under client.py; standard input
# is added to it. AS is rate or count.
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

# c_server NAME AMOUNT <<YAML: a scenario whose service is ./server, built of server.c by build_server FILE [OPTIONS]. It answers AMOUNT
# requests of client.py a window; one has 18 bytes, of which -DSTEP=N reads N at once, and -DKEEP=N frees all but N bytes of
# what it takes for each.
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

# mk_burner: $PWD/burner, whose hot() takes nine tenths of its CPU time and warm() the rest; burner MILLISECONDS
# [THREADS], each thread with a name of its own: worker-0, ...
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

# profiled NAME: the folder of the last run has a whole profile of NAME, or this machine cannot sample.
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

# weight REGEX: the part, in percent and whole, of the folded weight whose stacks match.
weight() { awk -v re="$1" '{ all += $NF } $0 ~ re { sum += $NF } END { printf "%d\n", all ? 100 * sum / all : 0 }' "$folder/stacks.folded"; }

# heavy REGEX LEAST, light REGEX MOST: the same, held against a limit.
heavy() { [[ $(weight "$1") -ge $2 ]] || fail "$1 has $(weight "$1") %, not $2: $(sort -t' ' -k2 "$folder/stacks.folded" | head -n 30)"; }
light() { [[ $(weight "$1") -le $2 ]] || fail "$1 has $(weight "$1") %, not at most $2"; }

recordings() { find "$folder" -name 'perf*.data' | wc -l; }

# mk_judged: a project whose base, origin/main, judges ./prog by its page faults, with a baseline. Then slower, or any edit, is
# the change, and pull STATUS ARGUMENTS... is pawl in its pull request.
mk_judged() {
  printf '#!/bin/sh\nexec true\n' >prog
  chmod +x prog
  printf 'gates: { task-clock: off, page-faults: +50%% }\nprofile: { kinds: [] }\n' >pawl.yaml
  mkdir -p scenarios
  printf 'version: 1\ntags: [gate]\ntarget: { command: [./prog] }\nmeasure: { runs: 3 }\n' >scenarios/a.yaml
  expect 0 baseline update --force --reason first
  mk_repo
  git update-ref refs/remotes/origin/main HEAD
  rm -rf pawl-out
}

# Nine times the page faults.
slower() { printf '#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9; do /bin/true; done\n' >prog; }

pull() { GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main expect "$@"; }

# judge_says TEXT...: the banner of the last run, which the terminal breaks into lines.
judge_says() { has pawl-out/latest/junit.xml "$@"; }

# caught WORDS...: ./prog, which is slower, is a regression in the pull request, and the banner has the WORDS.
caught() {
  pull 1 run
  first_line_has "$out" 'REGRESSION: a is worse'
  first_line_has "$out" 'JUDGE EDITED'
  judge_says 'what judged are the files of origin/main' "$@"
  has "$out" "pawl run a --baseline-ref $(git rev-parse --short=12 origin/main)"
  holds '.judge.ref == "origin/main" and .scenarios[0].gates[0].tolerance_pct == 50'
}

# -------- comparisons in pairs

# What is kept of trees lies below the case's folder.
XDG_CACHE_HOME=$CASE_DIR/cache
BUILDS=$CASE_DIR/kept/builds
export XDG_CACHE_HOME BUILDS

# mk_work N: build.sh, which makes ./work of the number in `amount`: about N times 60 ms of CPU time, beside Python's own.
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
  mk_scenario work <<'YAML'
target: { command: [./work] }
gates: { task-clock: default }
YAML
}

# A repository of mk_work, whose commit `base` does 1, and whose working tree does N: mk_work_repo N
mk_work_repo() {
  git init -q .
  printf 'pawl-out\nwork\n' >.gitignore
  mk_work 1
  commit_all 'the base'
  git tag base
  echo "$1" >amount
}

builds() { [[ ! -e $BUILDS ]] && echo 0 || wc -l <"$BUILDS"; }
trees() { find "$XDG_CACHE_HOME/pawl/trees" -mindepth 2 -maxdepth 2 -type d 2>/dev/null | wc -l; }

# mk_program MILLISECONDS: work.c, which burns so much CPU, and a pawl.yaml that builds ./work of it, the compiler's own files beside it.
mk_program() {
  need cc
  printf '%s\n' 'static volatile double sink;' \
    '__attribute__((noinline)) void hot(int n) { for (int i = 0; i < n; i++) sink += i * 0.5; }' \
    "int main(void) { for (int i = 0; i < 40 * $1; i++) hot(10000); return 0; }" >work.c
  echo 'build: TMPDIR=. cc -O1 -g -fno-omit-frame-pointer -o work work.c' >pawl.yaml
}

# mk_work_history MILLISECONDS: a repository of it, with the scenario `work` that judges its CPU time.
mk_work_history() {
  mk_program "$1"
  mk_scenario work <<'YAML'
target: { command: ./work }
gates: { task-clock: +10% }
YAML
  mk_repo
}

# mk_worker: a repository whose bin/worker, which run.sh starts, does four times the work of its commit `base`.
mk_worker() {
  need cc
  mkdir -p src "$CASE_DIR/installed" "$CASE_DIR/links"
  cat >src/work.c <<'C'
int main(void) { volatile unsigned long s = 0; for (unsigned long i = 0; i < ROUNDS * 1000000ul; i++) s += i; return 0; }
C
  printf 'exec "$(dirname "$0")/bin/worker"\n' >run.sh
  echo 10 >rounds
  echo 'build: mkdir -p bin; cc -O1 -DROUNDS=$(cat rounds) -o bin/worker src/work.c' >pawl.yaml
  printf 'pawl-out\nbin\n' >.gitignore
  git init -q .
  commit_all 'the base'
  git tag base
  echo 40 >rounds
  commit_all 'four times the work'
}

# work_named NAME COMMAND: a scenario that measures that command.
work_named() { printf 'target: { command: %s }\ngates: { task-clock: default, symbols: off }\n' "$2" | mk_scenario "$1"; }

# mk_commits N: an empty repository with N commits, a day each from 2026-10-01, whose ids go to the array `commits`.
mk_commits() {
  local i
  git init -q -b main .
  for ((i = 1; i <= $1; i++)); do
    printf 'commit refs/heads/main\ncommitter pawl <pawl@example.com> %d +0000\ndata <<END\nchange %d\nEND\n' $((1790769600 + i * 86400)) "$i"
  done | git fast-import --quiet
  mapfile -t commits < <(git rev-list --reverse main)
}

# mk_results <<LINES: the results of scenario `parse`, one a line: FILE COMMIT DATE CLOCK FAULTS [PART], in runs of about so
# many milliseconds.
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

# mk_archive DIR CLOCK...: one result for each of `commits` in order, with that clock; "-" leaves one out.
mk_archive() {
  local dir=$1 i=0 clock day
  shift
  for clock in "$@"; do
    TZ=UTC printf -v day '%(%F)T' $((1790769600 + (i + 1) * 86400))
    [[ $clock == - ]] || echo "$dir/$i.json ${commits[i]:0:12} ${day}T13:00:00Z $clock 100"
    i=$((i + 1))
  done | mk_results
}

# wobbly LEVEL N: N numbers about it, which repeat as those of a quiet machine do.
wobbly() { awk -v level="$1" -v n="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%.4f ", level * (1 + (i * 7 % 5 - 2) / 500) }'; }
