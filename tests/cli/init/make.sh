# From a folder with a Makefile to a gate: the scenario of init is measured, and a slower program fails it.
need make cc

cat >Makefile <<'MAKE'
PROG = count
CFLAGS = -O1 -g

all: $(PROG)

$(PROG): count.o
	$(CC) -o $@ count.o

.PHONY: all clean
clean:
	rm -f $(PROG) *.o
MAKE
cat >count.c <<'C'
#include <stdio.h>
#ifndef TIMES
#define TIMES 2
#endif
static unsigned long add(unsigned long sum, int c)
{
	for (int i = 0; i < TIMES; i++)
		sum = sum * 31 + (unsigned)c;
	return sum;
}
int main(void)
{
	unsigned long sum = 0;
	for (int c; (c = getc(stdin)) != EOF;)
		sum = add(sum, c);
	printf("%lu\n", sum);
	return 0;
}
C
seq 150000 >README.txt
printf '*.o\ncount' >.gitignore
git init -q .
commit_all 'the program'

"$PAWL" init './count < README.txt'
expect 0 check
cat scenarios/count.yaml pawl.yaml .gitignore
sed -n '/steps:/,$p' .github/workflows/pawl.yml
cat .github/CODEOWNERS
mkdir -p baselines/count
git check-ignore baselines/count/class.json && fail 'the line that hides the program hides its baselines'
commit_all 'measure it'

# The second time all files exist.
"$PAWL" init | head -n 3
[[ -z $(git status --porcelain) ]] || fail "the second time changed something: $(git status --porcelain)"

sed -i 's/TIMES 2/TIMES 40/' count.c
expect 1 run --base HEAD --no-profile --no-explain
first_line_has "$out" 'REGRESSION'
