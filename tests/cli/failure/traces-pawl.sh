# A target that traces pawl or its keeper, and so stops them, is ended. The run fails with the reason.
# An outside debugger is left alone.

need_root
need python3
cat >trace.py <<'PY'
# trace.py pawl|keeper|PID [SECONDS]: trace it, which stops it, for so long.
import ctypes, os, sys, time

ATTACH, DETACH = 16, 17
libc = ctypes.CDLL(None, use_errno=True)

def ptrace(what, pid):
    if libc.ptrace(ctypes.c_long(what), ctypes.c_long(pid), None, None) < 0:
        print('cannot trace:', os.strerror(ctypes.get_errno()))
        sys.exit(5)

keeper = os.getppid()
who = sys.argv[1]
if who == 'keeper':
    pid = keeper
elif who == 'pawl':
    pid = int(open('/proc/%d/stat' % keeper).read().rsplit(')', 1)[1].split()[1])
else:
    pid = int(who)
ptrace(ATTACH, pid)
os.waitpid(pid, 0)
open('traced', 'w').close()
time.sleep(float(sys.argv[2]) if len(sys.argv) > 2 else 1000)
ptrace(DETACH, pid)
PY
sleep 30 &
python3 trace.py $! 0 >said || skip "nothing can be traced here: $(cat said)"
kill $!

for who in pawl keeper; do
  mk_scenario "$who" <<YAML
target: { command: [python3, trace.py, $who] }
warmup: { runs: 0 }
measure: { runs: 2, timeout: 300s }
gates: { page-faults: { max: 1000000 } }
YAML
  rm -f traced
  ends 3 setsid -w timeout -s KILL 100 "$PAWL" run "$who" --no-profile
  [[ -e traced ]] || fail "$who was not traced"
  holds '.scenarios[0].failure | test("the target traced pawl .ptrace.*: python3 .[0-9]+. was ended")'
done

mk_quick quick 'sleep 1.5'
"$PAWL" run quick --no-profile >"$out" 2>"$err" &
pawl=$!
eventually running 'sleep 1.5' >/dev/null
python3 trace.py "$pawl" 3 || fail 'a debugger from outside was ended'
wait "$pawl" || { show_kept; fail "a debugger from outside: status $?"; }
