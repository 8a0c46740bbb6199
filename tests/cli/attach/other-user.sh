# The process belongs to another user, and perf's refusal is quoted.

need_root
need setpriv
[[ $(cat /proc/sys/kernel/perf_event_paranoid) -le 2 ]] || skip 'kernel.perf_event_paranoid is above 2'
sleep 60 & pid=$!
trap 'kill $pid' EXIT
mk_scenario theirs <<YAML
target: { pid: $pid }
warmup: { runs: 0 }
measure: { window: 100ms, runs: 1 }
YAML
cp "$(readlink -f "$PAWL")" "$CASE_DIR/pawl"
mkdir -p theirs
cp -r scenarios theirs
chown -R 65534:65534 theirs "$CASE_DIR/kept"
chmod 755 "$CASE_DIR" "$CASE_DIR/pawl"
cd theirs
PAWL="$CASE_DIR/pawl"
ends 3 setpriv --reuid 65534 --regid 65534 --clear-groups env TMPDIR="$PWD" XDG_RUNTIME_DIR="$PWD" "$PAWL" run
has "$out" "is another user's (uid 0)" 'or as root'
