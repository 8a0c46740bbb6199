# Without frame pointers stacks are unwound with DWARF. If lbr is not available, a note says so and fp is used.

mk_burner
cc -O1 -g -fomit-frame-pointer -pthread -o burner burner.c
mk_scenario a <<YAML
target: { command: [./burner, "50"] }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 100, duration: 5s, call-graph: dwarf }
YAML
expect 0 run
profiled a
heavy ';main;work;hot |;main;hot ' 70
# Functions of the C library have callers too, in programs that a shell starts at different addresses.
cat >fill.c <<'C'
#include <stdlib.h>
#include <string.h>
char *volatile block;
__attribute__((noinline)) void fill(void)
{
	for (int i = 0; i < 400; i++)
		memset(block, i, 1 << 20);
}
int main(void)
{
	block = malloc(1 << 20);
	fill();
	return 0;
}
C
cc -O1 -g -fomit-frame-pointer -fno-builtin -o fill fill.c
cp scenarios/a.yaml one.yaml
sed -i 's/command: .*/command: "for i in 1 2 3 4 5 6 7 8; do .\/fill; done" }/' scenarios/a.yaml
expect 0 run
heavy ';main;fill;.*memset' 70
cp one.yaml scenarios/a.yaml
grep -q '^flags.* \(arch_lbr\|lbr\)' /proc/cpuinfo || {
  sed -i 's/dwarf/lbr/' scenarios/a.yaml
  expect 0 run
  profiled a
  holds '.scenarios[0].notes | any(test("a call graph by lbr is not to be had here .*; by fp instead")) or .machine.tier == "hw"'
}
