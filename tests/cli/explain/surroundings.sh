# The same source built with other options, and the same program with other arguments. The cause is in every file of the
# run, and the callgrind output of both sides is kept.

need gcc valgrind
cat >spin.c <<'C'
#include <stdlib.h>
__attribute__((noinline)) static unsigned long spin(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n; i++)
		s += (i * 31) ^ (i >> 7);
	return s;
}
int main(int argc, char **argv) { return argc > 1 && spin(strtoul(argv[1], NULL, 10) * 1000000) == 1; }
C
mkdir fast slow
gcc -g -O2 -o fast/spin spin.c
gcc -g -O0 -o slow/spin spin.c
expect 1 ab './fast/spin 20' './slow/spin 20' --explain --runs 12
holds '.scenarios[0].causes[0] | .kind == "build" and .function == "spin"'
holds '.scenarios[0].causes[0].sentence | startswith("the compiler was given -O0 instead of -O2; spin (spin.c:")'
has "$out" 'slower than ./fast/spin 20' '  cause    built differently: the compiler was given -O0'
holds '.scenarios[0].causes[0] | (.place | startswith("spin.c:")) and .share_pct > 80'
holds '[.scenarios[0].gates[].metric] | (index("symbols") != null) and (index("wall-time") == null)'
holds '.scenarios[0].evidence | any(startswith("instructions, counted once on each side: "))'
for side in commands commands/base; do
  has "pawl-out/latest/$side/callgrind.out.1" 'events: Ir' 'fn=' spin
done
has pawl-out/latest/report.md 'cause: built differently: the compiler was given' 'counted: '
has pawl-out/latest/report.html 'What the cause rests on'

expect 1 ab './fast/spin 20' './fast/spin 40' --explain --runs 12
holds '.scenarios[0].causes[0] | .kind == "input" and .function == "spin"'
holds '.scenarios[0].causes[0].sentence | startswith("the same program has more to do, as the head alone has the argument 40; spin (spin.c:")'
holds '.scenarios[0].evidence | any(. == "the base alone has the argument 20")'
