# The luck of a link order: each side is built in several, and pairs go round them. What cannot be built so is said.
. "$LIB"
need ld.lld cc make

mkdir -p scenarios src
for i in 1 2 3 4; do
  printf 'unsigned f%d(unsigned x)\n{\n\treturn (x ^ %d) * %du + (x >> %d);\n}\n' $i $i $((2 * i + 3)) $i >src/f$i.c
done
cat >src/main.c <<'C'
#include <stdio.h>
unsigned f1(unsigned), f2(unsigned), f3(unsigned), f4(unsigned);
int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < TIMES; i++)
		x = f4(f3(f2(f1(x))));
	printf("%u\n", x);
	return 0;
}
C
sed -i 's/TIMES/1000000/' src/main.c
printf '%s\n' 'OBJECTS = src/main.o src/f1.o src/f2.o src/f3.o src/f4.o' 'CFLAGS = -O1' \
  'prog: $(OBJECTS)' '	$(CC) $(LDFLAGS) -o $@ $(OBJECTS)' >Makefile
echo 'build: make' >pawl.yaml
printf '*.o\nprog\n/pawl-out\n' >.gitignore
cat >scenarios/prog.yaml <<'YAML'
version: 1
name: prog
target: { command: [./prog] }
measure: { layouts: 3 }
gates: { task-clock: +30% }
YAML
git init -q .
commit_all one
git tag base
echo '/* as before */' >>src/main.c
commit_all two

expect 0 ab --base-ref base --no-profile --seed 3 -v
holds '.scenarios[0].pairing.layouts == 3 and .scenarios[0].status == 0'
has "$out" 'in 3 layouts of each side, pair by pair'
[[ $(trees) -eq 5 ]] || fail "$(trees) trees"
for tree in "$XDG_CACHE_HOME"/pawl/trees/*/*/; do
  cksum <"$tree/prog"
done | sort -u >programs
[[ $(wc -l <programs) -ge 3 ]] || fail "each layout is the same program: $(cat programs)"

# A change that is one is seen in all of them.
sed -i 's/1000000/3000000/' src/main.c
commit_all three
expect 1 ab --base-ref base --head-ref HEAD --no-profile --layouts 4
has "$out" 'REGRESSION prog task-clock +'
holds '.scenarios[0].pairing.layouts == 4'
expect 2 ab --base-ref base --layouts 17
has "$err" '--layouts: at most 16'

# One run is of one layout; so is what is not built here.
expect 0 ab --base-ref base --no-profile --runs 1 --layouts 1
holds '.scenarios[0].pairing | has("layouts") | not'
expect 1 ab --base-cmd true --head-cmd ./prog --layouts 2 --no-profile
has "$out" 'layouts: both sides are run as they are linked, since what is compared is built already'
echo >>src/main.c
expect 0 ab --base-ref base --no-profile --runs 1
has "$out" 'as they are linked, since the working tree differs'

# A makefile of its own mind.
sed -i 's/\$(LDFLAGS) //' Makefile
commit_all four
git tag -f base >/dev/null
echo '/* and so on */' >>src/f1.c
commit_all five
expect 0 ab --base-ref base --no-profile --runs 1 -v
has "$out" 'layouts: what is run is the same in each order'
holds '.scenarios[0].pairing | has("layouts") | not'
# And one that fails with it.
sed -i 's/-o \$@/$(if $(LDFLAGS),--no-such-option) -o $@/' Makefile
commit_all six
expect 0 ab --base-ref base --no-profile --runs 1
has "$out" 'since they do not build with LDFLAGS'
tidy || fail "left: $(ls -A "$TMPDIR")"
