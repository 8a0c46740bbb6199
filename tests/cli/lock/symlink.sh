# A link or a folder in place of the lock file is not followed and blocks no user. Each user then has an own lock.

mk_quick b
echo mine >victim
ln -s "$PWD/victim" "$XDG_RUNTIME_DIR/pawl.lock"
expect 0 run b
[[ $(cat victim) == mine ]] || fail 'the link was followed'
rm "$XDG_RUNTIME_DIR/pawl.lock"
mkdir "$XDG_RUNTIME_DIR/pawl.lock"
expect 0 run b
own=$XDG_RUNTIME_DIR/pawl-$(id -u).lock
rm "$own"
ln -s "$PWD/victim" "$own"
expect 3 run b
has "$err" "cannot open the lock file $own"
