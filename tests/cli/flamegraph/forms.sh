# pawl detects the format of a profile from its bytes: folded stacks, perf script text or a recording, from a file or
# standard input. All give the same result, and no weight is lost.
need xz perf

sum() { awk '{ n += $NF } END { printf "%.0f\n", n }' "$@"; }

xz -dc "${LIB%/cli/lib.sh}/fixtures/perf-script/sqlite-fp-5k.txt.xz" >script.txt
expect 0 flamegraph --format folded script.txt
cp "$out" stacks.folded
[[ $(sum stacks.folded) == $(awk '/cpu-clock:/ { n += $(NF - 1) } END { printf "%.0f\n", n }' script.txt) ]] ||
  fail "folded stacks weigh $(sum stacks.folded)"
expect 0 flamegraph --format folded stacks.folded
cmp "$out" stacks.folded || fail 'folded stacks change when they are read'
expect 0 flamegraph --format folded - <script.txt
cmp "$out" stacks.folded || fail 'standard input is read otherwise'

perf record -q -F 999 -e cpu-clock -g -o recording -- sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done' >"$CASE_DIR/kept/perf" 2>&1 ||
  skip "perf cannot record here: $(tail -n 1 "$CASE_DIR/kept/perf")"
perf script -F comm,pid,tid,time,period,event,ip,sym,dso --no-inline --no-demangle -i recording >recording.txt 2>"$CASE_DIR/kept/perf"
expect 0 flamegraph --format folded recording.txt
cp "$out" recording.folded
[[ -s recording.folded ]] || fail 'nothing was sampled'
expect 0 flamegraph --format folded recording
cmp "$out" recording.folded || fail 'a recording is read otherwise than its text'
expect 0 flamegraph --format folded - <recording
cmp "$out" recording.folded || fail 'a recording on standard input is read otherwise'
cat recording | "$PAWL" flamegraph --format folded - >piped || fail 'a piped recording is not read'
cmp piped recording.folded || fail 'a piped recording is read otherwise'
expect 0 flamegraph -o deep/flame.svg recording
has deep/flame.svg '</svg>' 'cpu-clock'
tidy || fail 'a temporary file was left'
nothing_measured
