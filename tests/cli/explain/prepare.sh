# Each tool that looks for a cause runs `prepare` before the target, which fails without it.

need cc
cat >spin.c <<'C'
int main(void) { volatile unsigned long s = 0; for (unsigned long i = 0; i < ROUNDS * 1000000ul; i++) s += i; return 0; }
C
echo 20 >rounds
cat >pawl.yaml <<<'build: cc -O1 -g -DROUNDS=$(cat rounds) -o spin spin.c'
mk_scenario spin <<'YAML'
prepare: touch "${tmp}/in"
target: { command: [sh, -c, 'rm "$0" && ./spin', "${tmp}/in"] }
measure: { runs: 5, budget: 60s }
gates: { task-clock: +25% }
YAML
mk_repo /spin
echo 120 >rounds
expect 1 run spin --base HEAD --explain --runs 12 --no-profile
holds '.mode == "paired" and (.scenarios[0].gates[0] | .verdict == "regression" and .pairs >= 10)'
command -v valgrind >/dev/null && holds '.scenarios[0].causes[0] | .function == "main" and (.sentence | contains("own code is executed"))'
