# Wherever git keeps a repository, and whatever filters it applies to files, the base is checked out and built.

# compare WHERE: the commit before is built in a tree of its own, with the file as the filter leaves it.
compare() {
  expect 0 run a --base HEAD~1 --no-profile --no-explain --runs 1
  holds '.scenarios[0] | (.pairs | length) == 1 and .pairing.one_program == null'
  lacks "$out" 'JUDGE EDITED'
}

export GIT_CONFIG_GLOBAL=$CASE_DIR/kept/gitconfig
git config --global filter.large.clean 'sed s/LARGE/pointer/'
git config --global filter.large.smudge 'sed s/pointer/LARGE/'
git config --global filter.large.required true
git config --global user.name pawl
git config --global user.email pawl@example.com
mk_judged
rm -rf .git
mkdir "$CASE_DIR/plain"
cp -r . "$CASE_DIR/plain"
cd "$CASE_DIR/plain"
echo 'data filter=large' >.gitattributes
echo LARGE >data
printf 'build: "grep -q LARGE data && touch built"\n' >>pawl.yaml
printf 'built\npawl-out\n' >.gitignore
git init -q .
commit_all 'the base'
echo '# changed' >>prog
commit_all 'the head'
compare

git worktree add -q --detach ../linked
cd ../linked
touch built
compare

cp -r ../plain ../apart
cd ../apart
git init -q --separate-git-dir ../apart.git
compare

cp -r ../plain ../named
cd ../named
mv .git ../named.git
export GIT_DIR=$CASE_DIR/named.git GIT_WORK_TREE=$PWD
compare
