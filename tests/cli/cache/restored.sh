# A CI cache brings the builds to a new machine, beside a new clone: other inodes, other times. Their bytes decide.

mk_spin 20
git tag base
expect 0 cache build base
respin 200
expect 0 baseline update spin --no-profile
commit_all 'accept spin'
git clone -q . ../clone
expect 0 cache --json
jq -r '.builds[].folder' "$out" >"$CASE_DIR/kept/folders"

# restore: as actions/cache packs and unpacks it, in a job of its own.
restore() {
  (cd "$XDG_CACHE_HOME" && tar --posix -czf "$CASE_DIR/kept/cache.tar" pawl)
  cd ..
  rm -rf "$XDG_CACHE_HOME" project
  mkdir "$XDG_CACHE_HOME"
  tar -xf "$CASE_DIR/kept/cache.tar" -C "$XDG_CACHE_HOME"
  git clone -q clone project
  cd project
  sh build.sh
}

restore
before=$(builds)
expect 0 cache build base
has "$err" 'is kept already'
expect 0 run spin --no-profile
has "$err" 'in pairs with the accepted build'
[[ $(builds) -eq $before ]] || fail 'it was built again'
[[ $(git worktree list | grep -c "$XDG_CACHE_HOME") -eq 2 ]] || fail "$(git worktree list)"
[[ -z $(git -C "$(sed -n 2p "$CASE_DIR/kept/folders")" status --short) ]] || fail 'git sees changes in it'
expect 0 cache build base
has "$err" 'is kept already'

# One that was altered in the archive is not used, even with the size and the time it had.
tree=$(find "$XDG_CACHE_HOME/pawl/trees" -mindepth 2 -maxdepth 2 -type d -name "$(git rev-parse base)-*")
cp -p "$tree/spin" "$CASE_DIR/kept/spin"
printf '\x7f' | dd of="$tree/spin" bs=1 seek=9 conv=notrunc status=none
touch -r "$CASE_DIR/kept/spin" "$tree/spin"
restore
before=$(builds)
expect 0 cache build base
has "$err" 'is damaged and is removed: spin changed' 'is built and kept'
[[ $(builds) -eq $((before + 1)) ]] || fail 'it was not built again'

# The image of the runner is a part of the key.
ImageOS=ubuntu24 ImageVersion=20261101.1 expect 0 cache build base
has "$err" 'is built and kept'
