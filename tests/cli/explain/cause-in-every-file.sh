# A loop that runs twice as often is the cause in every file of the run. The callgrind output of both sides is kept.

need cc valgrind
cat >spin.c <<'C'
#include <stdio.h>
__attribute__((noinline)) static unsigned long spin(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n * ROUNDS; i++)
		s = s * 31 + (i ^ (s >> 7));
	return s;
}
int main(void) { printf("%lu\n", spin(1000000)); return 0; }
C
mkdir old new
sed 's/ROUNDS/20/' spin.c >old/spin.c
sed 's/ROUNDS/40/' spin.c >new/spin.c
cc -g -O1 -o old/spin old/spin.c
cc -g -O1 -o new/spin new/spin.c

expect 1 ab ./old/spin ./new/spin --explain --runs 12
has "$out" 'slower than ./old/spin' '  cause    more work: spin (spin.c:'
holds '.scenarios[0].causes[0] | .kind == "work" and .function == "spin" and (.place | startswith("spin.c:")) and .share_pct > 80'
holds '[.scenarios[0].gates[].metric] | (index("symbols") != null) and (index("wall-time") == null)'
holds '.scenarios[0].evidence | any(startswith("instructions, counted once on each side: "))'
for side in commands commands/base; do
  has "pawl-out/latest/$side/callgrind.out.1" 'events: Ir' 'fn=' spin
done
has pawl-out/latest/report.md 'cause: more work: spin' 'counted: '
has pawl-out/latest/report.html 'What the cause rests on'
