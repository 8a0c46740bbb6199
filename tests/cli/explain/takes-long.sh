# A program takes too long under the counting tools. They are ended and reported, and the others name the function.

need cc perf strace valgrind
cat >prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
__attribute__((noinline)) static unsigned long spin(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n * ROUNDS; i++)
		s = s * 31 + (i ^ (s >> 7));
	return s;
}
static int is_traced(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	char line[100];
	int tracer = 0;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof line, f))
		sscanf(line, "TracerPid: %d", &tracer);
	return tracer || (preloaded && strstr(preloaded, "vgpreload"));
}
int main(void)
{
	unsigned long s = spin(1000000);

	while (is_traced())
		usleep(1000);
	return s == 1;
}
C
# Two sources have that function, and the debug information selects one.
mkdir copy
cp prog.c copy/
for rounds in 5 15; do cc -g -O1 -o "prog$rounds" prog.c -DROUNDS=$rounds; done

# said REGEX: exactly one line of the evidence matches it.
said() { holds "[.scenarios[0].evidence[] | select(test(\"$1\"))] | length == 1"; }

expect 1 ab ./prog5 ./prog15 --explain --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "spin" and .place == "prog.c:5"'
said 'system calls were counted for .* not to the end of the program; a shorter run is recorded in full'
said 'instructions could not be counted by function, so that samples alone tell costs: timed out after .* under valgrind; a shorter run is recorded in full'
