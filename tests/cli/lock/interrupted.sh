# Waiting for the lock can be interrupted.

mk_quick b
flock "$XDG_RUNTIME_DIR/pawl.lock" sh -c 'touch held; while [ ! -e enough ]; do sleep 0.05; done' &
eventually test -e held
env --default-signal=INT "$PAWL" run b >"$out" 2>"$err" &
pawl=$!
sleep 0.5
kill -INT "$pawl"
status=0
wait "$pawl" || status=$?
touch enough
wait
[[ $status -eq 130 ]] || fail "status $status"
