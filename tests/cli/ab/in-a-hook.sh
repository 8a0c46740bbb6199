# In a git hook GIT_DIR and its like name another tree. They affect neither the trees of pawl nor their builds.

mk_work_repo 0 0
sed -i '1igit rev-parse HEAD' build.sh
commit_all 'a build that asks git'
git tag -f base >/dev/null
git commit -q --allow-empty -m 'another'
before=$(git status --porcelain; git rev-parse HEAD)
export GIT_DIR=$PWD/.git GIT_WORK_TREE=$PWD GIT_INDEX_FILE=$PWD/.git/index
expect 0 run work --base base --no-profile --runs 1
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
has "$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*.log)" "$(git rev-parse base)"
[[ $before == "$(git status --porcelain; git rev-parse HEAD)" ]] || fail "the working tree changed: $(git status --porcelain)"

# Making a tree does not run the repository's hooks.
printf '#!/bin/sh\ntouch "%s/kept/hooked"\n' "$CASE_DIR" >.git/hooks/post-checkout
chmod +x .git/hooks/post-checkout
expect 0 run work --base HEAD --no-profile --runs 1
[[ ! -e $CASE_DIR/kept/hooked ]] || fail 'a hook was run'
