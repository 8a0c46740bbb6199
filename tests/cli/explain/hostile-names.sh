# Names of functions and files are untrusted. result.json has them unchanged, and they never act as markup,
# line breaks, options or commands. Each tool that looks for a cause runs `prepare` before the target, which fails without it.

need cc objcopy valgrind
long=$(printf 'l%.0s' {1..10000})
files=('-dash.c' 'a b;"q".c' $'new\nline.c' $'\xff\xfe.c' '<b>.c' 'last.c')
mkdir src
cat >src/last.c <<'C'
unsigned long dash(unsigned long n);

__attribute__((noinline)) unsigned long spin(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n * 10; i++)
		s = s * 31 + (i ^ (s >> 7));
	return s;
}
__attribute__((noinline)) unsigned long drag(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n * 10; i++)
		s = s * 33 + (i ^ (s >> 7));
	return s;
}
C
printf 'int main(void) { return spin(300000) + drag(300000) + dash(300000) == 1; }' >>src/last.c
cat >"src/-dash.c" <<'C'
__attribute__((noinline)) unsigned long dash(unsigned long n)
{
	unsigned long s = 0;
	for (unsigned long i = 0; i < n * 10; i++)
		s = s * 37 + (i ^ (s >> 7));
	return s;
}
C
for file in "${files[@]}"; do
  [[ -e src/$file ]] || printf 'static int unused;' >"src/$file"
done
cat >build.sh <<B
(cd src && cc -g -O1 -w -o ../spin ./*.c)
objcopy --redefine-sym spin='we ird";\$(touch owned)
<script>alert(1)</script>' --redefine-sym drag=$long spin
B
echo 'build: sh build.sh' >pawl.yaml
mk_scenario spin <<'YAML'
prepare: touch "${tmp}/in"
target: { command: [sh, -c, 'rm "$0" && ./spin', "${tmp}/in"] }
measure: { runs: 5, budget: 60s }
gates: { task-clock: +20% }
YAML
mk_repo /spin

sed -i 's/n \* 10/n * 50/' src/last.c src/-dash.c
for file in "${files[@]}"; do printf '\nstatic int also;' >>"src/$file"; done
sh build.sh
expect 1 run spin --base HEAD --runs 12
[[ ! -e owned && ! -e src/owned ]] || fail 'a name was executed'
lacks pawl-out/latest/report.html '<script>alert' '<b>.c'
lacks pawl-out/latest/report.md '<script>alert'
expect 1 report -v
has "$out" 'we ird";$(touch owned)'
grep -q '^<script' "$out" && fail 'a name is a line of its own'
holds '.mode == "paired" and (.scenarios[0].evidence | any(contains("exited with status")) | not)'
holds '.scenarios[0].causes | length == 3 and all(.kind == "work" and (.sentence | length < 300))'
holds '.scenarios[0].causes | any((.function | startswith("we ird\";$(touch owned)")) and .place == "last.c:6")'
holds '.scenarios[0].causes | any((.function | startswith("llll") and length == 10000) and .place == "last.c:13" and (.sentence | contains("lll...")))'
holds '.scenarios[0].causes | any(.function == "dash" and .place == "-dash.c:1" and (.changed | startswith("-dash.c:4")))'
