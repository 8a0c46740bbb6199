# If the counts of perf and the kernel differ, the run is not measured, and the report says so.

# The target takes perf's counters, as root can always do, and other users can if kernel.yama.ptrace_scope is 0.
need python3
cat >slow <<'PY'
#!/usr/bin/env python3
import ctypes, fcntl, glob, os

syscall = ctypes.CDLL(None, use_errno=True).syscall
stopped = 0
for path in glob.glob('/proc/[0-9]*/cmdline'):
    try:
        words = open(path, 'rb').read().split(b'\0')
    except OSError:
        continue
    if b'stat' not in words or words[-3:-1] != [b'-p', str(os.getpid()).encode()]:
        continue
    perf = int(path.split('/')[2])
    pidfd = syscall(434, perf, 0)
    for name in os.listdir(f'/proc/{perf}/fd'):
        if 'perf_event' in os.readlink(f'/proc/{perf}/fd/{name}'):
            fd = syscall(438, pidfd, int(name), 0)
            if fd >= 0:
                fcntl.ioctl(fd, 0x2401, 1)  # PERF_EVENT_IOC_DISABLE, the group
                stopped += 1
open('stopped', 'a').write(f'{stopped}\n')
n = 0
while n < 12000000:
    n += 1
PY
mk_slow 10s
expect 3 run --no-profile
grep -qv '^0$' stopped || skip 'this user may not take the counters of perf'
holds '.scenarios[0].state == "failed"'
holds '.scenarios[0].failure | test("3 runs in a row could not be counted: perf counted [0-9.]+ ms of CPU time, the kernel [0-9.]+ ms")'

# The reverse: the kernel does not report these children. Only metrics that perf counted are measured.
cat >unwaited <<'PY'
#!/usr/bin/env python3
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
if not os.fork():
    n = 0
    while n < 5000000:
        n += 1
    os._exit(0)
try:
    os.wait()
except ChildProcessError:
    pass
PY
chmod +x unwaited
mk_scenario b <<'YAML'
target: { command: [./unwaited] }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { task-clock: { max: 10s }, page-faults: { max: 1000000 } }
YAML
expect 0 run b --no-profile
holds '.scenarios[0].runs | all(."task-clock" > 50 and ."cpu-time" == null)'
holds '[.scenarios[0].gates[].verdict] == ["pass", "not-measured"]'
holds '.scenarios[0].notes | any(test("in 2 of 2 runs processes ended that nobody waited for"))'
