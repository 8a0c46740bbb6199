# Without pidfd_open(), in old kernels and sandboxes, perf still works.

need python3
cat >sandbox.py <<'PY'
import ctypes, os, struct, sys

def step(code, jt, jf, k):
    return struct.pack('HBBI', code, jt, jf, k)

# pidfd_open has the same number everywhere: fail with the given errno.
program = step(0x20, 0, 0, 0) + step(0x15, 0, 1, 434) + step(6, 0, 0, 0x50000 | int(sys.argv[1])) + step(6, 0, 0, 0x7fff0000)
text = ctypes.create_string_buffer(program)
filter = ctypes.create_string_buffer(struct.pack('HxxxxxxP', 4, ctypes.addressof(text)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, filter, 0, 0):
    sys.exit(77)
os.execvp(sys.argv[2], sys.argv[2:])
PY
python3 sandbox.py 38 true || skip 'no system call can be forbidden here'
mk_quick b
for errno in 38 1; do
  python3 sandbox.py $errno "$PAWL" run b --no-profile >"$out" 2>"$err" || fail "errno $errno: $(cat "$err")"
done
