# A damaged cached tree is checked out and built again. So is one that its repository forgot.

mk_work_repo 1
compare() { expect 0 run work --measure-identical --base base --no-profile --runs 1; }
# built N WHEN: N builds so far. The working tree is built each time, the base only if necessary.
built() { [[ $(builds) -eq $1 ]] || fail "$2: $(builds) builds, expected $1"; }

compare
built 2 'the first time'
compare
built 3 'kept'
tree=$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*/)
rm "$tree/.git"
compare
built 4 'without .git: its files are those that were built'
rm "$tree/build.sh"
compare
built 6 'without a file'
has "$err" 'is damaged and is removed: build.sh is gone'
rm -r "$tree"
compare
built 8 'without its folder'
rm -r .git/worktrees
compare
built 9 'forgotten by git'
git -C "$tree" checkout -q --detach "$(git -C "$tree" commit-tree -m other HEAD^{tree})"
compare
built 10 'another commit of the same files'
rm "${tree%/}.done"
compare
built 12 'never finished'
has "$err" 'is damaged and is removed: it was never finished'
compare
built 13 'kept'
git worktree list >"$CASE_DIR/kept/list"
[[ $(wc -l <"$CASE_DIR/kept/list") -eq 2 ]] || fail "$(cat "$CASE_DIR/kept/list")"
lacks "$CASE_DIR/kept/list" prunable

# Another build command makes another tree.
echo 'build: sh ./build.sh' >pawl.yaml
commit_all 'another build'
git tag -f base >/dev/null
compare
[[ $(trees) -eq 2 ]] || fail "$(trees) trees"
