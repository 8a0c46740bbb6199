# A link in the place of the lock file is not followed.
. "$LIB"

mk_quick b
echo mine >victim
ln -s "$PWD/victim" "$XDG_RUNTIME_DIR/pawl.lock"
expect 3 run b
has "$err" 'cannot open the lock file'
[[ $(cat victim) == mine ]] || fail 'the link was followed'
