# If no base can be built, the stored verdict stays, and the report says what is missing.

mk_spin 40 'task-clock: +25%'
git rm -q pawl.yaml
commit_all 'no way to build'
echo '// not committed' >>spin.c
PAWL_CACHE_SIZE=0 expect 0 baseline update spin --no-profile
respin 400

# pawl.yaml does not say how to build the base.
expect 1 run spin --no-profile
noted 'flagged by stored times alone, not confirmed in pairs: pawl.yaml does not say how to build the base' \
  'compare in pairs: pawl run spin --base REF'

# The baseline is not committed.
echo 'build: sh build.sh' >pawl.yaml
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
  respin 400
  expect 1 run spin --no-profile
  noted 'this clone is too shallow'
)

# The program is installed elsewhere and was replaced, so it would be compared with itself.
echo 'build: "true"' >pawl.yaml
printf 'target: { command: [%s] }\nmeasure: { runs: 5 }\ngates: { task-clock: +25%% }\n' "$CASE_DIR/kept/installed" | mk_scenario installed
cc -O1 -DROUNDS=40 -o "$CASE_DIR/kept/installed" spin.c
PAWL_CACHE_SIZE=0 expect 0 baseline update installed --no-profile
commit_all 'an installed program'
cc -O1 -DROUNDS=400 -o "$CASE_DIR/kept/installed" spin.c
expect 1 run installed --no-profile
holds '.scenarios[0].gates[0] | .verdict == "regression" and (.reason | contains("could not be confirmed: both sides ran one program"))'
