# A cached tree that changed after its build is checked out and built again.

mk_work_repo 1
compare() { expect 0 run work --base base --no-profile --runs 1; }
# built N WHEN: N builds so far. The working tree is built each time, the base only if necessary.
built() { [[ $(builds) -eq $1 ]] || fail "$2: $(builds) builds, expected $1"; }

compare
built 2 'the first time'
tree=$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*/)
echo 3 >"$tree/amount"
compare
built 4 'a tracked file was edited'
[[ $(<"$tree/amount") == 1 ]] || fail "amount is $(<"$tree/amount")"
(cd "$tree" && echo 3 >amount && git add amount)
compare
built 6 'the edit was staged'
chmod -x "$tree/work" && echo '# more' >>"$tree/work"
compare
built 8 'what the build made was edited'
rm "$tree/work"
compare
built 10 'what the build made is gone'
mkdir -p "$tree/new dir/sub" && echo x >"$tree/new dir/sub/file" && echo x >"$tree/.work.swp"
compare
built 11 'new files'
[[ ! -e "$tree/new dir" && ! -e "$tree/.work.swp" ]] || fail 'new files could be run in place of others'
cp -p "$tree/work" "$CASE_DIR/kept/work" && sed -i 's/25/99/' "$tree/work" && touch -r "$CASE_DIR/kept/work" "$tree/work"
[[ $(stat -c %s%Y "$tree/work") == $(stat -c %s%Y "$CASE_DIR/kept/work") ]] || fail 'another size or time'
compare
built 13 'a program of the same size and time'

# If setup edits its tree, the comparison still uses the commit's content.
mk_scenario work <<'YAML'
target: { command: [./work] }
setup: "test $(cat amount) = 1 && echo 3 >amount"
gates: { task-clock: default }
YAML
compare
echo 1 >amount
compare
built 16 'a setup that edits'
rm -r pawl-out
git checkout -q scenarios

# A build may change tracked files, and create files with unusual names.
echo 'echo built again >>scenarios/notes; ln -s nowhere link; echo x >"$(printf "a b\nc")"' >>build.sh
echo notes >scenarios/notes
commit_all 'a build that edits'
git tag -f base >/dev/null
git checkout -q .
rm -f link a\ b*
expect 0 run work --base base --head . --no-profile --runs 1
before=$(builds)
expect 0 run work --base base --head . --no-profile --runs 1
has "$err" 'using the kept build'
built "$before" 'as its build left it'
tidy || fail "left: $(ls -A "$TMPDIR")"
