# go tool pprof shows the same shares as --format top, the threads, and differences of two files.
need xz python3 go
export HOME=$CASE_DIR/kept PPROF_TMPDIR=$CASE_DIR/kept
go tool -n pprof >"$CASE_DIR/kept/tool" 2>&1 || skip "go has no pprof: $(tail -n 1 "$CASE_DIR/kept/tool")"

# read_back FILE ARGUMENT...: FILE is an option's file and the last argument of pprof.
read_back() { go tool pprof "$@" 2>"$CASE_DIR/kept/pprof" || fail "pprof: $(tail -n 2 "$CASE_DIR/kept/pprof")"; }

xz -dc "${LIB%/cli/lib.sh}/fixtures/perf-script/sqlite-fp-5k.txt.xz" >script.txt
expect 0 flamegraph --format pprof -o prof.pb.gz script.txt
expect 0 flamegraph --format pprof script.txt
cmp "$out" prof.pb.gz || fail 'other bytes from the same profile'
expect 0 flamegraph --format top script.txt
read_back -top -nodefraction=0 -nodecount=1000000 prof.pb.gz >pprof.top
read_back -raw prof.pb.gz >pprof.raw
python3 - "$out" pprof.top pprof.raw script.txt <<'PY'
import re, sys
ours, theirs, raw, script = (open(path).read() for path in sys.argv[1:])
shown = {}
for line in theirs.splitlines():
    row = re.match(r'\s*\S+\s+([\d.]+)%\s+[\d.]+%\s+\S+\s+([\d.]+)%\s+(.*)', line)
    if row:
        shown[row[3]] = float(row[1]), float(row[2])
table = ours.split('By self share\n')[1].split('\n\n')[0]
rows = [line.split(None, 9) for line in table.splitlines()[1:]]
assert len(rows) == 30, rows
for row in rows:
    self, total, name = float(row[0]), float(row[5]), row[9]
    # One name for the kernel's functions that differ from run to run.
    if name == '[kernel]':
        continue
    assert name in shown, name
    assert abs(shown[name][0] - self) < 0.011 and abs(shown[name][1] - total) < 0.011, (name, shown[name], self, total)
assert 'samples/count cpu-clock/nanoseconds[dflt]' in raw
samples = re.findall(r'^ +(\d+) +(\d+): ', raw, re.M)
periods = [int(n) for n in re.findall(r'(\d+) cpu-clock:', script)]
assert sum(int(n) for n, _ in samples) == len(periods) and sum(int(n) for _, n in samples) == sum(periods)
assert re.search(r'^\d+: 0x0/0x0/0x0 \[kernel\.kallsyms\]', raw, re.M)
PY
read_back -tags prof.pb.gz >tags
has tags 'thread: Total 2.4s' 'sqlite-fp'
read_back -top prof.pb.gz >program
has program 'File: sqlite-fp'

printf 'main;a 5000\nmain;b 4000\nmain;gone 1000\n' >base.folded
printf 'main;a 6000\nmain;b 4010\nmain;new 990\n' >head.folded
expect 0 flamegraph --format pprof --diff base.folded -o 'out/slow it.pb.gz' head.folded
has "$err" "to compare them: go tool pprof -diff_base 'out/base-slow it.pb.gz' 'out/slow it.pb.gz'"
read_back -top -diff_base 'out/base-slow it.pb.gz' 'out/slow it.pb.gz' >difference
python3 - difference <<'PY'
import re, sys
found = {row[1]: int(row[0]) for row in re.findall(r'^ *(-?\d+) +\S+% .* (\w+)$', open(sys.argv[1]).read(), re.M)}
assert found == {'a': 1000, 'gone': -1000, 'new': 990, 'b': 10, 'main': 0}, found
PY
