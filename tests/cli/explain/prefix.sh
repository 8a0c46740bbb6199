# Under valgrind the program does not end in time. The counts of its beginning are compared per call of a function whose
# callers did not change.

need cc perf valgrind
cat >prog.c <<'C'
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static unsigned long norm(unsigned long s)
{
	for (unsigned long i = 0; i < 300; i++)
		s = s * 31 + (i ^ (s >> 7));
	return s;
}
__attribute__((noinline)) static unsigned long step(unsigned long s)
{
	for (unsigned long i = 0; i < 300; i++)
		s = s * 33 + (i ^ (s >> 5));
	return norm(s);
}
int main(void)
{
	const char *preloaded = getenv("LD_PRELOAD");
	int forever = preloaded && strstr(preloaded, "vgpreload");
	unsigned long s = 1;

	for (unsigned long i = 0; forever || i < 60000; i++)
		s = step(s);
	return s == 1;
}
C
echo 'build: cc -O1 -g -o prog prog.c' >pawl.yaml
mk_scenario prog 'target: { command: ./prog && true }' 'gates: { task-clock: default }'
mk_repo prog
sed -i 's/return norm(s)/return norm(norm(norm(s)))/' prog.c

expect 1 run prog --base HEAD --runs 12
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "step" and (.sentence | endswith("it calls norm 3 times as often"))'
holds '.scenarios[0].causes[0].changed | contains("norm(norm(norm(s)))")'
holds '.scenarios[0].evidence | any(startswith("instructions per call of step, counted once on each side: "))'
holds '[.scenarios[0].evidence[] | select(test("counted for .* s, not to the end of the program, and are compared per call of step .\\+-0\\.[0-9]* %"))] | length == 1'
