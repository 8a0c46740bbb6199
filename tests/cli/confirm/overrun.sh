# A flagged program that reaches its timeout during confirmation in pairs is a regression.

need awk
work="awk 'BEGIN { for (i = 0; i < FACTOR * 100000; i++) s += i % 7; print s }'"
echo "${work/FACTOR/2}" >work.sh
echo "build: 'true'" >pawl.yaml
mk_scenario a <<'YAML'
target: { command: [sh, work.sh] }
warmup: { runs: 0 }
measure: { runs: 5, timeout: 4s }
gates: { task-clock: +25% }
YAML
mk_repo /runs
PAWL_CACHE_SIZE=0 expect 0 baseline update a --no-profile
commit_all 'accept a'

# The program is slower in the five runs that flag it, and does not end afterwards.
cat >work.sh <<SH
echo run >>runs
[ "\$(wc -l <runs)" -le 5 ] || exec sleep 1000
${work/FACTOR/6}
SH
expect 1 run a --no-profile --no-explain
has "$err" 'confirming 1 scenario in pairs'
has "$out" 'a run reached its timeout of 4 s; none of the base'
holds '.scenarios[0].gates[0] | .verdict == "regression" and .gross and .stored.verdict != null'
holds '.scenarios[0] | .status == 1 and (.notes | any(startswith("the pairs that were to confirm it ended: head: ")))'
