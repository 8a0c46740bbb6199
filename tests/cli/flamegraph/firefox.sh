# The Firefox Profiler's own program opens the file, without symbols, and shows the same shares as --format top.
need xz node jq python3
viewer=${LIB%/cli/lib.sh}/browser/node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js
[[ -f $viewer ]] || skip '@firefox-devtools/profiler-cli is not installed (tools/setup.sh test)'
export HOME=$CASE_DIR/kept PROFILER_CLI_SESSION_DIR=$CASE_DIR/kept/viewer
show() { node "$viewer" "$@" 2>"$CASE_DIR/kept/viewer.err"; }
show --version >"$CASE_DIR/kept/version" || skip "the viewer does not run with node $(node --version)"

close_viewer() { show stop --all >"$CASE_DIR/kept/stop" || true; }
trap close_viewer EXIT

# open_in_viewer FILE: a server keeps it open. It may be slow to start, and `load` waits only briefly for it.
open_in_viewer() {
  local try
  close_viewer
  show load "$1" >"$CASE_DIR/kept/load" || true
  for try in {1..300}; do
    show status >"$CASE_DIR/kept/status" && return
    sleep 0.1
  done
  fail "the viewer does not open $1 (try $try): $(cat "$CASE_DIR/kept/viewer.err")"
}

xz -dc "${LIB%/cli/lib.sh}/fixtures/perf-script/sqlite-fp-5k.txt.xz" >script.txt
expect 0 flamegraph --format firefox -o prof.json script.txt
expect 0 flamegraph --format firefox script.txt
cmp "$out" prof.json || fail 'other bytes from the same profile'
expect 0 flamegraph --format top script.txt
open_in_viewer prof.json
show thread functions --limit 0 --json >functions.json || fail "functions: $(cat "$CASE_DIR/kept/viewer.err")"
show thread samples >samples.txt || fail "samples: $(cat "$CASE_DIR/kept/viewer.err")"
has samples.txt 'Kernel' 'User' 'sqlite-fp!main'
python3 - "$out" functions.json script.txt <<'PY'
import json, re, sys
ours, script = open(sys.argv[1]).read(), open(sys.argv[3]).read()
viewer = json.load(open(sys.argv[2]))
assert viewer['weightType'] == 'tracing-ms' and viewer['friendlyThreadName'] == 'sqlite-fp', viewer
periods = sum(int(n) for n in re.findall(r'(\d+) cpu-clock:', script))
found = sum(f['selfSamples'] for f in viewer['functions'])
assert abs(found * 1e6 - periods) < 1, (found, periods)
shown = {(f['library'], f['name']): f for f in viewer['functions'] if 'library' in f}
table = ours.split('By self share\n')[1].split('\n\n')[0]
rows = [line.split(None, 9) for line in table.splitlines()[1:]]
assert len(rows) == 30, rows
for row in rows:
    self, total, file, name = float(row[0]), float(row[5]), row[8], row[9]
    # One name for the kernel's functions that differ from run to run.
    if name == '[kernel]':
        continue
    f = shown[file, name]
    assert abs(f['selfPercentage'] - self) < 0.006 and abs(f['totalPercentage'] - total) < 0.006, (name, f, self, total)
PY

# Hostile names, several threads, weights of other units.
printf '%b' 'a\0377 1/1  5.000001:  3 cycles: \n\tffff </script>"\\\0303( (/bin/\0200)\n\n' \
  'b;c 1/2  5.000002:  4 cycles: \n\tffff main (/bin/x y)\n\n' >hostile.txt
expect 0 flamegraph --format firefox -o hostile.json hostile.txt
open_in_viewer hostile.json
show thread list --json >threads.json || fail "threads: $(cat "$CASE_DIR/kept/viewer.err")"
[[ $(jq -c '.totalThreadCount, .context.selectedThreads[0].name' threads.json | tr '\n' ' ') == '2 "a\\xff" ' ]] || fail "threads: $(cat threads.json)"
for thread in t-0:3 t-1:4; do
  show thread functions --thread "${thread%:*}" --limit 0 --json >functions.json || fail "functions of ${thread%:*}"
  [[ $(jq -c '[.functions[].selfSamples] | add' functions.json) == "${thread#*:}" ]] || fail "${thread%:*}: $(cat functions.json)"
done
