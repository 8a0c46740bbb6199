# A cached tree that changed after its build, is damaged or was never finished is checked out and built again. One that its
# repository forgot is used again.

mk_work_repo 0 0
compare() { expect 0 run work --measure-identical --base base --no-profile --runs 1; }
# built N WHEN: N builds so far. The working tree is built each time, the base only if necessary.
built() { [[ $(builds) -eq $1 ]] || fail "$2: $(builds) builds, expected $1"; }
# again HOW WHEN: the next comparison uses the base's build, or builds it again.
again() {
  local before
  before=$(builds)
  compare
  built $((before + $([[ $1 == kept ]] && echo 1 || echo 2))) "$2"
}

again built 'the first time'
again kept 'the second time'
tree=$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*/)
echo 3 >"$tree/amount"
again built 'a tracked file was edited'
[[ $(<"$tree/amount") == 0 ]] || fail "amount is $(<"$tree/amount")"
(cd "$tree" && echo 3 >amount && git add amount)
again built 'the edit was staged'
chmod -x "$tree/work" && echo '# more' >>"$tree/work"
again built 'what the build made was edited'
rm "$tree/work"
again built 'what the build made is gone'
mkdir -p "$tree/new dir/sub" && echo x >"$tree/new dir/sub/file" && echo x >"$tree/.work.swp"
again kept 'new files'
[[ ! -e "$tree/new dir" && ! -e "$tree/.work.swp" ]] || fail 'new files could be run in place of others'
cp -p "$tree/work" "$CASE_DIR/kept/work" && sed -i 's/25/99/' "$tree/work" && touch -r "$CASE_DIR/kept/work" "$tree/work"
[[ $(stat -c %s%Y "$tree/work") == $(stat -c %s%Y "$CASE_DIR/kept/work") ]] || fail 'another size or time'
again built 'a program of the same size and time'
rm "$tree/.git"
again kept 'without .git: its files are those that were built'
rm "$tree/build.sh"
again built 'without a file'
has "$err" 'is damaged and is removed: build.sh is gone'
rm -r "$tree"
again built 'without its folder'
rm -r .git/worktrees
again kept 'forgotten by git'
git -C "$tree" checkout -q --detach "$(git -C "$tree" commit-tree -m other HEAD^{tree})"
again kept 'another commit of the same files'
rm "${tree%/}.done"
again built 'never finished'
has "$err" 'is damaged and is removed: it was never finished'
git worktree list >"$CASE_DIR/kept/list"
[[ $(wc -l <"$CASE_DIR/kept/list") -eq 2 ]] || fail "$(cat "$CASE_DIR/kept/list")"
lacks "$CASE_DIR/kept/list" prunable

# If setup edits its tree, the comparison still uses the commit's content.
mk_scenario work <<'YAML'
target: { command: [./work] }
setup: "test $(cat amount) = 0 && echo 3 >amount"
gates: { task-clock: default }
YAML
again kept 'a setup that will edit'
echo 0 >amount
again built 'a setup that edited'
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

# Another build command makes another tree.
before=$(trees)
echo 'build: sh ./build.sh' >pawl.yaml
commit_all 'another build'
git tag -f base >/dev/null
compare
[[ $(trees) -eq $((before + 1)) ]] || fail "$(trees) trees, before $before"
tidy || fail "left: $(ls -A "$TMPDIR")"
