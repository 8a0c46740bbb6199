# Two pawls need the same tree: one builds it, the other waits and uses it.

mk_work_repo 0 0
sed -i 's/^echo built/sleep 1; echo built/' build.sh
commit_all 'a slow build'
git tag -f base >/dev/null
export PAWL_LOCK=inherited
for i in 1 2; do
  "$PAWL" run work --base base --head base --no-profile --runs 1 --out "out$i" >"$CASE_DIR/kept/out$i" 2>&1 &
  pids[i]=$!
done
for i in 1 2; do wait "${pids[i]}" || fail "pawl $i: $(cat "$CASE_DIR/kept/out$i")"; done
[[ $(builds) -eq 1 ]] || fail "$(builds) builds"
[[ $(trees) -eq 1 ]] || fail "$(trees) trees"
