# Page faults as a kind of profile, alone and together with CPU time.

need cc; need perf
cat >touch.c <<C
#include <stdlib.h>
char *volatile block;
__attribute__((noinline)) void touch_pages(void)
{
	block = malloc(64 << 20);
	for (long i = 0; i < 2000; i++)
		block[i * 4096] = 1;
}
int main(void)
{
	touch_pages();
	return 0;
}
C
cc -g -O1 -o touch touch.c
mk_scenario a 'target: { command: ./touch }' 'measure: { runs: 3 }' 'profile: { kinds: [faults] }'
"$PAWL" run a >report 2>&1
! grep -q "no profile of page faults" report || skip "perf cannot sample page faults here"
folder=pawl-out/latest/a
grep -c 'profile of page faults: [0-9]* samples of page-faults' report
ls $folder | grep -v 'log\|perf-'
# Most page faults are in the function that touches memory.
awk '/touch_pages/ { in_it += $NF } { all += $NF } END { print (in_it / all > 0.5 ? "touch_pages" : "no") }' $folder/faults.folded
grep -c touch_pages $folder/faults.svg >/dev/null && echo pictured

sed -i 's/kinds: .faults./kinds: [cpu, faults], duration: 1s/' scenarios/a.yaml
"$PAWL" run a >report 2>&1
ls $folder | grep -v 'log\|perf-'
