# An absolute limit is decided by the runs alone. With --explain `pawl run` measures pairs to find
# their cause.

need cc valgrind
cat >fill.c <<'C'
#include <stdlib.h>
#include <string.h>
__attribute__((noinline)) static void fill(void)
{
	char *p = malloc(SIZE << 20);
	memset(p, 1, SIZE << 20);
	__asm__ volatile("" : : "r"(p) : "memory");
}
int main(void) { for (int i = 0; i < 3; i++) fill(); return 0; }
C
echo 4 >size
cat >pawl.yaml <<<'build: cc -O1 -g -DSIZE=$(cat size)ul -o fill fill.c'
mk_scenario fill <<'YAML'
target: { command: ./fill }
measure: { runs: 5, budget: 60s }
gates: { page-faults: { max: 5000 } }
YAML
mk_repo /fill
cc -O1 -g -DSIZE=4ul -o fill fill.c
accepted=$(git rev-parse --short=12 HEAD)
expect 0 baseline update fill --no-profile
commit_all 'accept fill'

echo 12 >size
cc -O1 -g -DSIZE=12ul -o fill fill.c
expect 1 run fill --no-profile
holds '.scenarios[0] | (.gates[0].verdict == "regression") and (has("causes") or has("evidence") | not) and (.pairs // []) == []'

expect 1 run fill --no-profile --explain
has "$err" "looking for the cause of 1 scenario in pairs against the accepted build of $accepted"
lacks "$err" 'confirming'
# The verdict stays that of the stored runs.
holds '.scenarios[0].gates[0] | .verdict == "regression" and (.pairs // 0) == 0 and .stored == null'
holds '.scenarios[0] | (.pairs | length >= 10) and .causes[0].function == "fill"'
holds '.scenarios[0].evidence | any(startswith("system calls, counted once on each side: "))'
has "$out" '  cause' 'fill (fill.c:'
# A report made again has the same cause.
expect 1 report pawl-out/latest/result.json
has "$out" 'fill (fill.c:'

# Without a base to compare with, the note names a command that helps.
rm pawl.yaml
expect 1 run fill --no-profile --explain
has "$out" 'its cause was not looked for: pawl.yaml does not say how to build the base' 'pawl run fill --base' '--explain'
expect 2 run fill --explain --no-confirm
has "$err" 'give one of them'
