# Allocations counted by heaptrack: gates on them are exact, and their stacks are a kind of profile.

need cc heaptrack
# write N: a program with N allocations in a loop, some of them live at once.
write() {
  cat >alloc.c <<C
#include <stdlib.h>
char *volatile kept[1000];
__attribute__((noinline)) void make_blocks(int n)
{
	for (int i = 0; i < n; i++) {
		free(kept[i % 1000]);
		kept[i % 1000] = malloc(1000);
	}
}
int main(void)
{
	make_blocks($1);
	return 0;
}
C
  cc -g -O1 -o alloc alloc.c
}

write 10000
mk_scenario a <<YAML
target: { command: ./alloc }
measure: { runs: 3 }
profile: { kinds: [heap] }
gates: { allocations: default, heap-peak: default, heap-leaked: default, temporary-allocations: +5% }
YAML
expect 0 run
"$PAWL" baseline update a >/dev/null 2>&1
folder=pawl-out/latest/a
ls $folder
awk '/make_blocks/ { in_it += $NF } END { print in_it }' $folder/heap.folded
awk '/make_blocks/ { in_it += $NF } END { print in_it }' $folder/heap-peak.folded
grep -q make_blocks $folder/heap.svg && echo pictured

# The same program again, then 1 % more allocations.
expect 0 run
result '.scenarios[].gates[] | "\(.metric) \(.verdict) \(.change_pct)"'
write 10100
expect 1 run
result '.scenarios[].gates[] | "\(.metric) \(.verdict)"'

# Without heaptrack allocations are not measured.
mkdir bin
ln -s /usr/bin/* bin/ 2>/dev/null || true
rm bin/heaptrack bin/heaptrack_print
PATH=$PWD/bin expect 0 run
result '.scenarios[].gates[0] | "\(.verdict): \(.reason)"'
result '.scenarios[].notes[]' | grep heaptrack
