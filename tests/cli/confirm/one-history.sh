# pawl asks git once for the commits that added baselines, however many scenarios are flagged.

mk_spin 40 'task-clock: +25%'
mv scenarios/spin.yaml scenarios/one.yaml
cp scenarios/one.yaml scenarios/two.yaml
echo 'build: "echo no compiler here; exit 7"' >pawl.yaml
commit_all 'what is accepted'
echo '// not committed' >>spin.c
PAWL_CACHE_SIZE=0 expect 0 baseline update --no-profile
respin 400

# A wrapper logs each call of git.
mkdir "$CASE_DIR/kept/bin"
printf '#!/bin/sh\necho "$*" >>%q\nexec %q "$@"\n' "$CASE_DIR/kept/asked" "$(command -v git)" >"$CASE_DIR/kept/bin/git"
chmod +x "$CASE_DIR/kept/bin/git"
PATH=$CASE_DIR/kept/bin:$PATH

# asked_for SCENARIOS: prints how many git processes started.
asked_for() {
  : >"$CASE_DIR/kept/asked"
  expect 1 run "$@" --no-profile
  wc -l <"$CASE_DIR/kept/asked"
}

one=$(asked_for one)
two=$(asked_for one two)
holds '[.scenarios[].notes[] | select(contains("no commit has "))] | length == 2'
[[ $one == "$two" ]] || fail "$one for one scenario, $two for two: $(cat "$CASE_DIR/kept/asked")"

# git finds the commit, whose tree does not build.
commit_all 'the baselines'
asked_for one two >"$CASE_DIR/kept/count"
holds '[.scenarios[].notes[] | select(contains("no compiler here"))] | length == 2'
[[ $(grep -c ' log ' "$CASE_DIR/kept/asked") == 1 ]] || fail "$(cat "$CASE_DIR/kept/asked")"

# The repository does not have the commit.
sed -i 's/"commit": *"[^"]*"/"commit": "0123456789ab"/' baselines/*/*.json
one=$(asked_for one)
two=$(asked_for one two)
holds '[.scenarios[].notes[] | select(contains("unknown revision \u0027\("0123456789ab")\u0027"))] | length == 2'
[[ $one == "$two" ]] || fail "$one for one scenario, $two for two: $(cat "$CASE_DIR/kept/asked")"
