# An interrupted build leaves no process behind, and the next comparison builds from the start.

mk_work_repo 0 0
marker=build-$$-long
printf '[ -e "%s/kept/quick" ] || sh -c "sleep 300; : %s"\n' "$CASE_DIR" "$marker" >>build.sh
commit_all 'a slow build'
git tag -f base >/dev/null
interrupted TERM "sleep 300; : $marker" run work --base base --no-profile --runs 1
[[ $(builds) -eq 1 ]] || fail "$(builds) builds"
holds '.partial and .status == 143'
touch "$CASE_DIR/kept/quick"
expect 0 run work --base base --no-profile --runs 1
[[ $(builds) -eq 3 ]] || fail "$(builds) builds"
