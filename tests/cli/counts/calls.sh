# What the kernel counts of a whole tree of processes: reading, writing, system calls, processes, and sizes of files. A
# program that does more of it is red in one run, however short it is.

need cc strace
cat >work.c <<'C'
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
static char buf[65536];
static void *idle(void *arg) { return arg; }
int main(void)
{
	int in = open("/dev/zero", O_RDONLY), out = open("/dev/null", O_WRONLY);
	pthread_t thread;

	for (long n = 0; n < 4 * 65536; n += STEP)
		if (read(in, buf, STEP) < 0 || write(out, buf, STEP) < 0)
			return 1;
	for (int i = 0; i < CHILDREN; i++) {
		if (!fork())
			_exit(0);
		wait(0);
	}
	for (int i = 0; i < 4; i++) {
		pthread_create(&thread, 0, idle, 0);
		pthread_join(thread, 0);
	}
	return 0;
}
C
build() { cc -O1 -pthread -DSTEP="$1" -DCHILDREN="$2" -o work work.c; }
mk_scenario a <<'YAML'
target: { command: [./work] }
measure: { runs: 2 }
gates:
  read-calls: default
  write-calls: default
  read-bytes: default
  written-bytes: default
  system-calls: default
  "system-calls:write": default
  processes: default
  text-size: default
  data-size: default
  file-size: default
YAML
verdicts() { result '[.scenarios[0].gates[] | select(.verdict == "'"$1"'").metric] | join(" ")'; }

build 65536 2
expect 0 baseline update a --force
expect 0 run a --strict
# Joining a thread may or may not wait, which is a call.
holds '.scenarios[0].gates | all(.verdict == "pass" and (.change_pct == 0 or .metric == "system-calls"))'
holds '.scenarios[0].runs[0] | .["written-bytes"] == 262144 and .["write-calls"] == 4 and .["system-calls:write"] == 4 and .processes == 3'
holds '.scenarios[0].runs[0] | .["text-size"] > 1000 and .["file-size"] > .["text-size"]'

# dd bs=1 in place of bs=64k: the bytes are the same, the calls are not.
build 1024 2
expect 1 run a
[[ $(verdicts regression) == 'read-calls write-calls system-calls system-calls:write' ]] || fail "regressions: $(verdicts regression)"
holds '.scenarios[0].runs[0] | .["written-bytes"] == 262144 and .["write-calls"] == 256'

# Ten more processes are within the absolute slack, eleven are not. Threads are no processes.
build 65536 12
expect 1 run a
holds '.scenarios[0].gates | any(.metric == "processes" and .verdict == "pass" and .current == 13)'
build 65536 13
expect 1 run a
holds '.scenarios[0].gates | any(.metric == "processes" and .verdict == "regression" and .current == 14)'

# What outlives its parent counts with it. A child that is killed counts, and so does what it did.
mk_scenario orphan <<'YAML'
target: { command: [sh, -c, "(sleep 0.05; exec dd if=/dev/zero of=/dev/null bs=1k count=100 status=none) & exit 0"] }
measure: { runs: 2 }
gates: { write-calls: { max: 100 }, written-bytes: { min: 102400, max: 102400 } }
YAML
expect 0 run orphan
mk_scenario killed <<'YAML'
target: { command: [sh, -c, "dd if=/dev/zero of=/dev/null bs=1k count=100 status=none; sh -c 'kill -9 $$'; true"] }
measure: { runs: 2 }
gates: { write-calls: { min: 100 }, processes: { min: 3, max: 3 } }
YAML
expect 0 run killed
# A target that is killed itself has no counts.
mk_scenario dies 'target: { command: [sh, -c, "kill -9 $$"] }' 'gates: { read-calls: { max: 1000, required: true } }'
expect 3 run dies
holds '.scenarios[0] | .state == "failed" and .gates[0].verdict == "not-measured"'
