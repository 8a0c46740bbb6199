# git bisect run finds the commit of 12 that takes three times as long. A commit that does not build is skipped.

mk_spin 60 'cpu-time: +60%'
for n in {0..12}; do
  echo $((n < 5 ? 60 : 180)) >rounds
  ((n != 3)) || echo broken >rounds
  echo "$n" >change
  commit_all "commit $n"
done
fast=$(git rev-parse HEAD~12)
slow=$(git rev-parse HEAD~7)

git bisect start HEAD "$fast" >"$CASE_DIR/kept/start" 2>&1 || fail "$(cat "$CASE_DIR/kept/start")"
git bisect run "$PAWL" run spin --base "$fast" --bisect >"$out" 2>&1 || fail "git bisect run: $(tail -5 "$out")"
[[ $(git rev-parse refs/bisect/bad) == "$slow" ]] || fail "found was $(git log -1 --format=%s refs/bisect/bad): $(git bisect log)"
git bisect reset >"$CASE_DIR/kept/reset" 2>&1

git checkout -q HEAD~9
expect 125 run spin --base "$fast" --bisect
has "$out" 'the build failed'
expect 128 run nothing --base "$fast" --bisect
expect 128 run spin --base nowhere --bisect
expect 128 run spin --base "$fast" --nothing --bisect
expect 2 bisect spin --good "$fast"
has "$err" "there is no command 'bisect' any more: git bisect run pawl run SCENARIO --base GOOD --bisect searches"
