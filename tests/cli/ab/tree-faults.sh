# A kept tree that is damaged is made and built again; so is one whose repository forgot it.
. "$LIB"

mk_work_repo 1
compare() { expect 0 ab work --base-ref base --no-profile --runs 1; }
# The working tree is built each time, the base when it must be.
built() { [[ $(builds) -eq $1 ]] || fail "$2: $(builds) builds, expected $1"; }

compare
built 2 'the first time'
compare
built 3 'kept'
tree=$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*/)
rm "$tree/.git"
compare
built 5 'without .git'
rm "$tree/build.sh"
compare
built 7 'without a file'
rm -r "$tree"
compare
built 9 'without its folder'
rm -r .git/worktrees
compare
built 11 'forgotten by git'
git -C "$tree" checkout -q --detach "$(git -C "$tree" commit-tree -m other HEAD^{tree})"
compare
built 13 'another commit'
rm "${tree%/}.done"
compare
built 15 'never finished'
compare
built 16 'kept'
git worktree list >"$CASE_DIR/kept/list"
[[ $(wc -l <"$CASE_DIR/kept/list") -eq 2 ]] || fail "$(cat "$CASE_DIR/kept/list")"
lacks "$CASE_DIR/kept/list" prunable

# Another way to build is another tree.
echo 'build: sh ./build.sh' >pawl.yaml
commit_all 'another build'
git tag -f base >/dev/null
compare
[[ $(trees) -eq 2 ]] || fail "$(trees) trees"
