# Programs that reveal little. Each tool that fails gives its reason and advice once, and the others name the function.

need cc perf strace valgrind
cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static unsigned long spin(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n * ROUNDS; i++)
		s = s * 31 + (i ^ (s >> 7));
	return s;
}
/* No valgrind, and no tracer. */
static void refuse(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	char line[100];
	FILE *f = fopen("/proc/self/status", "r");

	if (preloaded && strstr(preloaded, "vgpreload")) {
		puts("not under valgrind");
		exit(3);
	}
	while (f && fgets(line, sizeof line, f))
		if (!strncmp(line, "TracerPid:", 10) && atoi(line + 10)) {
			puts("no debuggers please");
			exit(4);
		}
}
int main(void)
{
	if (REFUSES)
		refuse();
	return spin(1000000) == 1;
}
C
mkdir old new
cp prog.c old
mv prog.c new

# said TEXT: exactly one line of the evidence contains it.
said() { holds "[.scenarios[0].evidence[] | select(contains(\"$1\"))] | length == 1"; }

for side in old=5 new=15; do
  cc -O1 -o "${side%=*}/prog" "${side%=*}/prog.c" -DREFUSES=1 -DROUNDS="${side#*=}"
done
expect 1 ab ./old/prog ./new/prog --explain --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "spin"'
said 'prog has no debug information: '
said 'build it with -g'
said 'instructions could not be counted by function, so that samples alone tell costs: under valgrind: the target exited with status 3; it printed: not under valgrind'
said 'system calls could not be counted: under strace, which the target may not bear: the target exited with status 4; it printed: no debuggers please'

# A stripped program, measured by a user without kernel samples.
for side in old=5 new=15; do
  cc -O1 -s -o "${side%=*}/prog" "${side%=*}/prog.c" -DREFUSES=0 -DROUNDS="${side#*=}"
done
be_ordinary
expect 1 ab ./old/prog ./new/prog --explain --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == null and .object == "prog" and (.sentence | startswith("prog, of which no function has a name, costs"))'
said 'prog has no symbols (it is stripped): '
[[ $(cat /proc/sys/kernel/perf_event_paranoid) -eq 2 ]] || exit 0
said "what the kernel does for the program is in no sample here: \`sudo sysctl kernel.perf_event_paranoid=1\`"
