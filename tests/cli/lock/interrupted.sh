# PAWL_LOCK=inherited skips the lock, for a pawl that runs under pawl. Waiting for the lock can be interrupted.

mk_quick b
flock "$XDG_RUNTIME_DIR/pawl.lock" sh -c 'touch held; while [ ! -e enough ]; do sleep 0.05; done' &
eventually test -e held
expect 3 run b --lock-wait 0s
PAWL_LOCK=inherited expect 0 run b --lock-wait 0s
env --default-signal=INT "$PAWL" run b >"$out" 2>"$err" &
pawl=$!
sleep 0.5
kill -INT "$pawl"
awaited 130 "$pawl"
touch enough
wait
