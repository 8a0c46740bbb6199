# --repro runs the command line of a stored result and reports what differs here.
need make cc

cat >work.c <<'C'
int main(void)
{
	volatile unsigned long n = 0;
	for (long i = 0; i < TIMES * 1000000L; i++)
		n += i;
	return 0;
}
C
printf 'work: work.c\n\tcc -O1 -DTIMES=20 -o work work.c\n' >Makefile
printf 'build: make -s\n' >pawl.yaml
mk_scenario work 'target: { command: [./work] }' 'measure: { counters: perf }' 'gates: { task-clock: +20% }'
mk_quick other
mk_repo /work
make -s
base=$(git rev-parse HEAD)
shown() { sed -E "s/$base/BASE/g; s/${base:0:12}/BASE/g; s/[0-9a-f]{12}(\+dirty)?/COMMIT\1/g; s/20[0-9-]{8}T[0-9:]+Z/TIME/; s/--seed [0-9]+/--seed SEED/; s/[^ ]*-[0-9]+cpu/CLASS/g" "$err" | grep -E '^([a-z]+\.json:|  differs|  runs|pawl:)'; }

# A stored result on this machine is compared as stored again, with the same number of runs.
expect 0 run --runs 4 --no-profile work other
mv pawl-out/latest/result.json stored.json
expect 0 run --repro stored.json --no-profile
shown
holds '.mode == "stored" and ([.scenarios[].name] == ["other", "work"]) and (.scenarios[0].runs | length == 4)'
expect 0 run --repro stored.json --no-profile --runs 3 other
holds '([.scenarios[].name] == ["other"]) and (.scenarios[0].runs | length == 3)'

# The original judge's commit judges. Another machine is reported, and the comparison stays the same.
jq --arg c "$base" '.scenarios[1].status = 1 | .judge = { ref: "origin/main", commit: $c, own: false, edits: [], open: [] } | .pawl = "0.0.9" |
  .machine.part = "cray-1-1cpu"' stored.json >red.json
sed -i 's/+20%/+30%/' scenarios/work.yaml
expect 0 run --repro red.json --no-profile work
shown
holds '.mode == "stored" and .judge.commit == "'"$base"'" and ([.scenarios[].name] == ["work"])'

# A result in pairs is measured in pairs again, in the same order, on any machine.
sed -i 's/TIMES=20/TIMES=60/' Makefile
rm work
expect 1 run --base "$base" --no-profile --no-explain work
jq '.machine.part = "cray-1-1cpu"' pawl-out/latest/result.json >pairs.json
expect 1 run --repro pairs.json --no-profile --no-explain
shown
[[ $(result .scenarios[0].pairing.seed pairs.json) == "$(result .scenarios[0].pairing.seed)" ]] || fail 'another order'
