# A revision that git does not know is misuse, and nothing is measured.

mk_work 1
expect 2 run work --base main
has "$err" '--base: ' 'not a git repository'
git init -q .
expect 2 run work --base HEAD
has "$err" "unknown revision 'HEAD'" "has no commits yet"
commit_all 'the beginning'
for ref in no-such-branch -x --upload-pack=touch:x 'a b' '$(touch x)' HEAD~5 :/nothing ''; do
  expect 2 run work "--base=$ref"
done
expect 2 run work --base=-x
has "$err" "'-x' is no name of a commit"
expect 2 run work --base HEAD --head no-such-branch
has "$err" '--head: ' "unknown revision 'no-such-branch'"
# For a scenario that is not committed, the error names the commit.
cp scenarios/work.yaml scenarios/fresh.yaml
sed -i 's/^name: .*/name: fresh/' scenarios/fresh.yaml
expect 2 run fresh --base HEAD --head HEAD
has "$err" '--head HEAD (' 'there is no scenario'
rm -r scenarios/fresh.yaml pawl-out "$XDG_CACHE_HOME"
git worktree prune
# Without git there are no commits.
PATH=$CASE_DIR expect 2 run work --base HEAD
has "$err" '--base HEAD: git is not installed'
# A tag of a file is not a commit.
git tag file "$(git rev-parse HEAD:build.sh)"
expect 2 run work --base file
nothing_measured
[[ ! -e x && ! -e $XDG_CACHE_HOME ]] || fail 'something was made'

# A clone without history has no base.
git commit -q --allow-empty -m 'another'
git clone -q --depth 1 "file://$PWD" "$CASE_DIR/shallow"
cd "$CASE_DIR/shallow"
expect 2 run work --base HEAD~1
has "$err" 'fetch-depth: 0'
