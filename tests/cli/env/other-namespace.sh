# The next start ignores a pawl of another pid namespace, whose process numbers mean nothing here.

need_root
unshare --pid --fork --mount-proc true 2>/dev/null || skip 'no pid namespace can be made here'
# A cgroup for these two, in which no other pawl of this machine looks.
base=/sys/fs/cgroup/unified
[[ -d $base ]] || base=/sys/fs/cgroup
own=$base$(sed -n 's/^0:://p' /proc/self/cgroup)
if mkdir "$base/case-$$" 2>/dev/null; then
  echo $$ >"$base/case-$$/cgroup.procs"
  trap 'echo $$ >"$own/cgroup.procs"; rmdir "$base/case-$$"' EXIT
fi
server_scenario web '' 5s rate <<<'measure: { runs: 1, window: 3s }'
mk_quick quick
XDG_RUNTIME_DIR=$CASE_DIR/kept unshare --pid --fork --mount-proc --kill-child "$PAWL" run web >"$out.web" 2>&1 & other=$!
eventually running "$PWD/client.py" >/dev/null
expect 0 run quick
[[ -n $(ls "$TMPDIR") ]] || fail 'its scratch folder was removed'
wait $other || { cat "$out.web" >&2; fail "status $?"; }
