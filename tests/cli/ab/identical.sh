# What cannot differ is not measured: a commit that changes only documents passes by what a traced run of each side used.
# A change of anything that it used is measured.

need cc strace
cat >prog.c <<'C'
#include <stdio.h>
int add(int);
int main(void)
{
	volatile long sum = 0;
	FILE *f = fopen("data/in.txt", "r");
	for (long i = f ? getc(f) : 0; i < 3000000; i++) sum += add((int)i);
	puts("done");
	return 0;
}
C
echo 'int add(int n) { return n + 1; }' >add.c
mkdir data
echo 1 >data/in.txt
echo 'cc -O1 -g -shared -fPIC -o libadd.so add.c && cc -O1 -g -DCOMMIT="$(git rev-parse HEAD)" -o prog prog.c -L. -ladd -Wl,-rpath,\$ORIGIN' >build.sh
echo 'build: sh build.sh' >pawl.yaml
mk_scenario a 'target: { command: [./prog] }' 'gates: { task-clock: +50%, page-faults: +50% }'
mk_repo /prog /libadd.so
sh build.sh
run() { expect 0 run a --base HEAD~1 --no-profile --runs 2 "$@"; }

echo more >README
commit_all 'documents'
run
# Debug information names the folder of the build, so the build-ids differ.
holds '.scenarios[0].pairing.identical | .libraries == 2 and .files >= 1 and (.binary | startswith("build-id:"))'
holds '.scenarios[0] | (.pairs | length) == 0 and all(.gates[]; .verdict == "pass" and (.reason | startswith("identical: same binary, 2 libraries, ")))'
first_line_has "$out" 'pass  a  identical: same binary, 2 libraries, '
has "$err" 'a: identical'
for format in markdown html junit; do
  expect 0 report --format $format pawl-out/latest/result.json
  has "$out" 'identical: same binary, 2 libraries, '
done

# measured WORDS...: the last commit is measured. -v says why.
measured() {
  run -v
  holds '.scenarios[0] | .pairing.identical == null and (.pairs | length) > 0'
  [[ $# -eq 0 ]] || has "$out" "$@"
}

# A claim of an improvement is refuted by it.
expect 1 run a --base HEAD~1 --no-profile --expect 'cpu-time -10%'
has "$out" 'REFUTED a CPU time'

run --measure-identical
holds '.scenarios[0] | .pairing.identical == null and (.pairs | length) == 2'
echo 2 >data/in.txt
commit_all 'input'
measured 'not taken as identical: ' 'data/in.txt differs'
sed -i 's/n + 1/n + 2/' add.c
sh build.sh
commit_all 'library'
measured 'libadd.so differs'
sed -i 's/"done"/"Done"/' prog.c
sh build.sh
commit_all 'program'
measured
has "$out" 'a: head prints other output from line 1'

# A limit needs a value of the head.
sed -i 's/page-faults: +50%/page-faults: { max: 1000000 }/' scenarios/a.yaml
commit_all 'limit'
echo still >>README
commit_all 'documents again'
measured
