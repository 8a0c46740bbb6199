# An accepted build that is damaged, or does not run any more, is not used: stored times judge, with the reason.

mk_spin 200
expect 0 baseline update spin --no-profile
commit_all 'accept spin'
tree=$(echo "$XDG_CACHE_HOME"/pawl/trees/*/accepted-*/)

# Its program cannot start: a library is missing.
cc -O1 -shared -fPIC -o "$CASE_DIR/libgone.so" -xc - <<<'int gone(void) { return 0; }'
cp spin.c spin.old
sed -i 's/int main(void) {/int gone(void); int main(void) { gone();/' spin.c
cc -O1 -DROUNDS=200 -o spin spin.c -L"$CASE_DIR" -lgone -Wl,-rpath,"$CASE_DIR"
expect 0 baseline update spin --no-profile --reason 'with a library'
rm "$CASE_DIR/libgone.so"
mv spin.old spin.c
respin 200
expect 0 run spin --no-profile
noted 'the pairs that were to confirm it ended: base: '
holds '.scenarios[0].gates[0] | .verdict == "pass" and (.pairs // 0) == 0'
git checkout -q baselines

# The first one was altered.
echo x >>"${tree}rounds"
expect 0 run spin --no-profile
has "$err" 'is damaged and is removed: rounds changed'
noted 'judged by stored times alone: it was damaged, and is removed'
[[ ! -e $tree ]] || fail 'it is still there'
expect 0 run spin --no-profile
lacks "$err" 'is damaged' 'in pairs'

# Half made: the marker is missing.
expect 0 baseline update spin --no-profile --reason again
tree=$(echo "$XDG_CACHE_HOME"/pawl/trees/*/accepted-"$(jq -r '.sessions[-1].measurement' baselines/spin/*.json)")
rm "$tree.done"
expect 0 run spin --no-profile
has "$err" 'it was never finished'
