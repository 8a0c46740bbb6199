# Where builds cannot be kept, a base is built in a temporary folder, and pawl says why. Nothing of others is used.

mk_spin 20
git tag base
git commit -q --allow-empty -m second
compare() { expect 0 run spin --base base --no-profile --runs 1; }
# says WORDS: it compares, with a build in a temporary folder.
says() {
  compare
  has "$err" 'builds cannot be kept' "$@" 'is built in a temporary folder'
  [[ -e pawl-out/latest/build-$(git rev-parse --short=12 base).log ]] || fail "no log of the build: $(ls pawl-out/latest)"
  [[ $(git worktree list | wc -l) -eq 1 ]] || fail "$(git worktree list)"
  tidy || fail "left: $(ls -A "$TMPDIR")"
}

git config user.name a
git config user.email a@example.com
(unset XDG_CACHE_HOME HOME; says 'neither XDG_CACHE_HOME nor HOME')
(unset HOME; XDG_CACHE_HOME=cache says 'neither XDG_CACHE_HOME nor HOME')
[[ ! -e cache ]] || fail 'a relative XDG_CACHE_HOME was used'
XDG_CACHE_HOME=/dev/null/cache says "cannot make folder '/dev/null'"
PAWL_CACHE_SIZE=0 says 'PAWL_CACHE_SIZE is 0'
echo 'echo building in vain; exit 5' >build.sh
commit_all 'a build that fails'
PAWL_CACHE_SIZE=0 expect 3 run spin --base HEAD --no-profile
has "pawl-out/latest/build-$(git rev-parse --short=12 HEAD).log" 'building in vain'
[[ $(git worktree list | wc -l) -eq 1 ]] || fail "$(git worktree list)"
tidy || fail "left: $(ls -A "$TMPDIR")"
git reset -q --hard HEAD~1
PAWL_CACHE_SIZE=many expect 2 run spin --base base --no-profile --runs 1

# Links are not followed, wherever they lead.
mkdir "$CASE_DIR/theirs" "$XDG_CACHE_HOME"
ln -s "$CASE_DIR/theirs" "$XDG_CACHE_HOME/pawl"
says "$XDG_CACHE_HOME/pawl is not a folder, or a link"
rm "$XDG_CACHE_HOME/pawl"
mkdir "$XDG_CACHE_HOME/pawl"
ln -s "$CASE_DIR/theirs" "$XDG_CACHE_HOME/pawl/trees"
says "$XDG_CACHE_HOME/pawl/trees is not a folder, or a link"
mkdir -p "$CASE_DIR/theirs/0123456789abcdef/$(git rev-parse HEAD)-0123456789abcdef"
expect 3 cache clear
has "$err" "$XDG_CACHE_HOME/pawl/trees is not a folder, or a link"
rmdir "$CASE_DIR"/theirs/*/* "$CASE_DIR"/theirs/*
rm "$XDG_CACHE_HOME/pawl/trees"
[[ -z $(ls -A "$CASE_DIR/theirs") ]] || fail 'the link was followed'

# A folder that others may write to becomes the user's own; a build that cannot be kept is no error elsewhere.
mkdir -m 777 "$XDG_CACHE_HOME/pawl/trees"
chmod 777 "$XDG_CACHE_HOME/pawl/trees"
compare
[[ $(stat -c %a "$XDG_CACHE_HOME/pawl/trees") == 755 ]] || fail "$(stat -c %a "$XDG_CACHE_HOME/pawl/trees")"
lacks "$err" 'cannot be kept'
PAWL_CACHE_SIZE=1k expect 0 baseline update spin --no-profile
has "$err" 'this build is not kept (it is larger than the cache may be, see PAWL_CACHE_SIZE)'
expect 0 cache clear

if [[ $(id -u) -eq 0 ]]; then
  chown 65534 "$XDG_CACHE_HOME/pawl"
  says "$XDG_CACHE_HOME/pawl belongs to another user (uid 65534)"
  chown 0 "$XDG_CACHE_HOME/pawl"
  # A disk of a page or two is full at once, and a file system that cannot be written to is no error either.
  for options in size=40k ro; do
    unshare -m sh -c 'mount -t tmpfs -o "$1" none "$2"' sh $options "$XDG_CACHE_HOME" 2>/dev/null || skip 'nothing can be mounted'
    printf '#!/bin/sh\nexec unshare -m sh -c '\''mount -t tmpfs -o %s none "$XDG_CACHE_HOME" && exec "%s" "$@"'\'' sh "$@"\n' $options "$PAWL" \
      >"$CASE_DIR/kept/pawl-$options"
    chmod +x "$CASE_DIR/kept/pawl-$options"
  done
  (PAWL=$CASE_DIR/kept/pawl-size=40k; says 'is full')
  (PAWL=$CASE_DIR/kept/pawl-ro; says 'Read-only file system')
fi
