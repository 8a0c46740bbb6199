# Allocations and live memory are counted, so a cause needs no slowdown. It names the function that allocates more, not
# the wrapper it calls. A static program is refused, because heaptrack would wait for it.

need cc heaptrack valgrind
cat >keep.c <<'C'
#include <stdlib.h>
#include <string.h>
static void *kept[4096];
__attribute__((noinline)) static void *take(size_t n)
{
	void *p = malloc(n);
	memset(p, 1, n);
	return p;
}
__attribute__((noinline)) static void keep_names(void)
{
	for (int i = 0; i < NAMES; i++)
		kept[i] = take(4000);
}
/* Long enough for a run to be no batch of many. */
int main(void)
{
	volatile unsigned long s = 0;

	keep_names();
	for (unsigned long i = 0; i < 30000000; i++)
		s += i;
	return 0;
}
C
mk_scenario keep <<'YAML'
target: { command: ./keep }
profile: { kinds: [heap] }
measure: { runs: 3 }
gates: { allocations: +10%, heap-peak: +10% }
YAML
sed -i 's/NAMES/100/' keep.c
mk_repo /keep
cp -r . ../base
sed -i 's/i < 100/i < 400/' keep.c
(cd ../base && cc -g -O1 -o keep keep.c)
cc -g -O1 -o keep keep.c
expect 1 run keep --base ../base --runs 6 -v
holds '.scenarios[0].causes[0] | .kind == "allocation" and .function == "keep_names" and .amount == 300 and .unit == "count"'
has "$out" 'keep_names (keep.c:' 'makes 300 allocations more per run'
has "$out" 'allocations, counted once on each side: 101, then 401; freed at once 0, then 0; at the peak '
holds '.scenarios[0].causes[0].changed // "" | contains("i < 400")'

# For a statically linked program the note says so at once, with advice, and no gate gets a guessed value.
cc -static -g -O1 -o keep keep.c 2>/dev/null || exit 0
expect 0 run keep
holds '.scenarios[0].notes | any(startswith("allocations were not counted: keep is linked statically, and heaptrack sees only"))'
