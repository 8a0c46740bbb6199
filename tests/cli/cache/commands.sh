# pawl cache lists, sums up, makes and removes builds, outside of any project too.

expect 0 cache
has "$out" '0 B of at most 2.00 GiB in 0 builds'
mk_spin 20
head=$(git rev-parse HEAD)
expect 0 cache build
has "$err" "building ${head:0:12}" "${head:0:12} is built and kept"
expect 0 cache build HEAD
has "$err" "${head:0:12} is kept already"
expect 0 baseline update spin --no-profile
git commit -q --allow-empty -m second
expect 0 run spin --base HEAD --no-profile --runs 1
has "$err" "building $(git rev-parse --short=12 HEAD)"
cd ..
expect 0 cache list
has "$out" "${head:0:12}" 'accepted: spin' base "$CASE_DIR/project"
[[ $(wc -l <"$out") -eq 4 ]] || fail "$(cat "$out")"
expect 0 cache --json
jq -e '(.builds | length) == 3 and ([.builds[].bytes] | add) == .bytes and .bytes > 0 and .cap_bytes == 2147483648 and
  ([.builds[] | select(.kind == "accepted") | .scenarios] == ["spin"]) and all(.builds[]; .finished and (.in_use | not))' "$out" >/dev/null ||
  fail "$(cat "$out")"
expect 0 cache size
has "$out" 'of at most 2.00 GiB in 3 builds'

# One that is in use stays.
exec 9>"$(echo "$XDG_CACHE_HOME"/pawl/trees/*/"$head"-*.lock)"
flock -s 9
expect 0 cache clear "${head:0:10}"
has "$err" 'is in use by another pawl, and stays' 'removed 1 build'
exec 9>&-
expect 2 cache clear 0123456
has "$err" "no build of '0123456' is kept"
expect 0 cache clear
has "$err" 'removed 2 builds'
[[ -z $(ls -A "$XDG_CACHE_HOME"/pawl/trees/*) ]] || fail "left: $(ls -A "$XDG_CACHE_HOME"/pawl/trees/*)"
[[ $(git -C project worktree list | wc -l) -eq 1 ]] || fail 'git still lists them'

expect 2 cache wipe
has "$err" "expected list, size, build or clear, found 'wipe'"
expect 2 cache list x
PAWL_CACHE_SIZE=much expect 2 cache
has "$err" PAWL_CACHE_SIZE much
cd project
sed -i 's/^build:.*//' pawl.yaml
expect 2 cache build
has "$err" 'does not say how to build'
