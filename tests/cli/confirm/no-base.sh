# If no base can be built, the stored verdict stays, and the report says what is missing.

need cc
echo 'int main(void) { volatile unsigned long s = 0; for (unsigned long i = 0; i < ROUNDS * 1000000ul; i++) s += i; return 0; }' >spin.c
mk_scenario spin 'target: { command: ./spin }' 'measure: { runs: 5 }' 'gates: { task-clock: +25% }'
mk_repo
printf '/spin\n/pawl-out\n' >.gitignore
cc -O1 -DROUNDS=10 -o spin spin.c
commit_all 'what is accepted'
echo '// not committed' >>spin.c
PAWL_CACHE_SIZE=0 expect 0 baseline update spin --no-profile
cc -O1 -DROUNDS=100 -o spin spin.c

# pawl.yaml does not say how to build the base.
expect 1 run spin --no-profile
noted 'flagged by stored times alone, not confirmed in pairs: pawl.yaml does not say how to build the base' \
  'compare in pairs: pawl run spin --base REF'

# The baseline is not committed.
echo 'build: cc -O1 -DROUNDS=10 -o spin spin.c' >pawl.yaml
expect 1 run spin --no-profile
noted 'no commit has ' 'baselines/spin/'

# The base does not build: the stored verdict stays, and the note names the log.
sed -i '/^.. not/d' spin.c
echo 'build: "echo no compiler here; exit 7"' >pawl.yaml
commit_all 'a broken build'
expect 1 run spin --no-profile
noted 'not confirmed in pairs: ' 'no compiler here'
holds '.scenarios[0].gates[0] | .verdict == "regression" and (.pairs // 0) == 0'

# In a shallow clone every file appears as new in the only commit.
git clone -q --depth 1 "file://$PWD" ../shallow
(
  cd ../shallow
  cc -O1 -DROUNDS=100 -o spin spin.c
  expect 1 run spin --no-profile
  noted 'this clone is too shallow'
)

# The program is installed elsewhere and was replaced, so it would be compared with itself.
echo 'build: "true"' >pawl.yaml
printf 'target: { command: [%s] }\nmeasure: { runs: 5 }\ngates: { task-clock: +25%% }\n' "$CASE_DIR/kept/installed" | mk_scenario installed
cc -O1 -DROUNDS=10 -o "$CASE_DIR/kept/installed" spin.c
PAWL_CACHE_SIZE=0 expect 0 baseline update installed --no-profile
commit_all 'an installed program'
cc -O1 -DROUNDS=100 -o "$CASE_DIR/kept/installed" spin.c
expect 1 run installed --no-profile
holds '.scenarios[0].gates[0] | .verdict == "regression" and (.reason | contains("could not be confirmed: both sides ran one program"))'
