# Another user's process: said whose it is, and what to do.
. "$LIB"

need_root
sleep 3678 & pid=$!
trap 'kill $pid' EXIT
mk_scenario foreign <<YAML
target: { pid: $pid }
measure: { window: 100ms, runs: 1 }
YAML
chmod 755 "$CASE_DIR"; chown -R 65534 "$CASE_DIR"
status=0
setpriv --reuid 65534 --regid 65534 --clear-groups "$PAWL" run -q >"$out" 2>"$err" || status=$?
[[ $status -eq 3 ]] || fail "status $status"
holds '.scenarios[0].failure | contains("is another user'"'"'s (uid 0)") and contains("run pawl as that user, or as root")'
