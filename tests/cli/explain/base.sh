# Without an option the base is the commit that the baseline was measured at; few pairs are made, and the report is that
# of `pawl ab`.
. "$LIB"

need cc
cat >spin.c <<'C'
int main(void) { volatile unsigned long s = 0; for (unsigned long i = 0; i < ROUNDS * 1000000ul; i++) s += i; return 0; }
C
echo 20 >rounds
cat >pawl.yaml <<'YAML'
build: cc -O1 -g -DROUNDS=$(cat rounds) -o spin spin.c
YAML
mk_scenario spin <<'YAML'
prepare: touch "${tmp}/in"
target: { command: [sh, -c, 'rm "$0" && ./spin', "${tmp}/in"] }
measure: { runs: 5, budget: 20s }
gates: { task-clock: +25% }
YAML
mk_repo
printf '/spin\n/pawl-out\n' >.gitignore
cc -O1 -g -DROUNDS=20 -o spin spin.c
commit_all 'what is accepted'
accepted=$(git rev-parse --short=12 HEAD)
expect 0 baseline update spin --force --no-profile
commit_all 'accept spin'

echo 120 >rounds
expect 1 explain spin --no-profile
has "$out" "$accepted"
holds '.mode == "paired" and (.scenarios[0].gates[0] | .verdict == "regression" and .pairs >= 10)'
holds '.command | endswith("--base-ref '"$accepted"'")'
# Each tool runs the target behind `prepare`, without which it fails.
command -v valgrind >/dev/null && holds '.scenarios[0].causes[0] | .function == "main" and (.sentence | contains("own code is executed"))'

# Nothing regressed: no more pairs than the first look needs.
cp -r . ../same
expect 0 explain spin --no-profile --base ../same
holds '.scenarios[0].gates[0] | .verdict == "pass" and .pairs <= 12'

# A second scenario whose baseline is of another commit.
mk_quick other
commit_all 'another scenario'
expect 0 baseline update other --force --no-profile
commit_all 'accept it'
expect 2 explain
has "$err" 'were measured at two commits: explain one at a time, or give --base-ref REF'
