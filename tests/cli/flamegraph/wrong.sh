# Input that is not a profile is refused with advice before anything is written (2). A failure of perf is 3.
need xz gzip

: >empty
printf '\n# captured\n' >comments
printf 'main;work 1\n' >good
printf 'main;work\n' >bad
printf 'a;b 1 2\na;c 3 4\n' >both
xz -kc good >good.xz
gzip -c good >good.gz
printf '<svg xmlns="http://www.w3.org/2000/svg"/>' >a.svg
printf 'PERFILE2 and nothing that follows' >cut.data
printf 'sh 1/1  5.000001:     100010 cpu-clock: \n\tffff ma' >cut.txt
mkdir folder
profiles=${LIB%/cli/lib.sh}/fixtures/profiles
cp "$profiles"/{zero.folded,cachegrind.out,callgrind.out,no-time-blanks.txt} .

while IFS='|' read -r file text; do
  expect 2 flamegraph -o made.svg "$file"
  has "$err" "$file: " "$text"
done <<'CASES'
empty|there is no sample in it
comments|there is no sample in it
bad|line 1: expected a stack and its weight
both|pawl flamegraph --diff BASE HEAD
good.xz|xz -dc good.xz | pawl flamegraph -
good.gz|gzip -dc good.gz | pawl flamegraph -
a.svg|no profile
/bin/sh|other binary data
cut.txt|line 2
folder|it is a folder
zero.folded|no sample in it has a weight
cachegrind.out|cg_annotate cachegrind.out
callgrind.out|callgrind_annotate --tree=both callgrind.out
no-time-blanks.txt|line 1: the sample has no time
missing|there is no such file
CASES
expect 2 flamegraph - <empty
has "$err" 'standard input: there is no sample in it'
expect 2 flamegraph - <good.xz
has "$err" "put 'xz -dc |' before pawl"
expect 2 flamegraph
has "$err" 'takes one profile'
expect 2 flamegraph good good
expect 2 flamegraph --diff - -
has "$err" 'cannot both come from standard input'
expect 2 flamegraph --diff good --format folded good
has "$err" '--diff makes svg, json, top, pprof or firefox, not folded'
expect 2 flamegraph --diff zero.folded good
has "$err" 'zero.folded: no sample in it has a weight'
cat - "$profiles/no-last-line.txt" <<<'Failed to open /tmp/perf-1.map, continuing without symbols' >noted.txt
expect 0 flamegraph --format folded noted.txt
has "$out" 'app;main;work 250000'
has "$err" 'the empty line behind the last sample is missing' "skipped 1 line that perf wrote as messages ('Failed to open /tmp/perf-1.map"
expect 2 flamegraph --diff empty good
has "$err" 'empty: there is no sample in it'
printf 'sh 1/1  5.000001:     100010 cpu-clock: \n\tffff main (/bin/a)\n\n' >fine.txt
expect 2 flamegraph --event cycles fine.txt
has "$err" "fine.txt: there is no event 'cycles' in it, only cpu-clock"
for gone in subtitle notes height count-name colors width min-width inverted reverse threads; do
  expect 2 flamegraph "--$gone" x good
  has "$err" "there is no --$gone any more: "
done
echo '{"dhatFileVersion":2}' >dhat.out
expect 2 flamegraph dhat.out
has "$err" 'it is a file of DHAT, which pawl does not read: use valgrind --tool=massif'
if perf --version >"$CASE_DIR/kept/version" 2>&1; then
  expect 3 flamegraph -o made.svg cut.data
  has "$err" 'perf script' 'cut.data'
fi
PAWL_PERF=/nonexistent/perf expect 3 flamegraph -o made.svg cut.data
has "$err" '/nonexistent/perf'
[[ ! -e made.svg ]] || fail 'a picture was written'
tidy || fail 'a temporary file was left'

# Event names are escaped too.
printf 'c 1/1 1.0: 5 x</title><script>alert(1)</script><title>:\n\tff f (/bin/x)\n\n' >event.txt
expect 0 flamegraph event.txt
lacks "$out" '<script>alert'

# A stack deeper than the limit is refused.
{ head -c 300000 /dev/zero | tr '\0' ';'; echo 'a 1'; } >deep.folded
expect 2 flamegraph deep.folded
has "$err" 'deep.folded: a stack has more than'

# Names are printed without control characters. Large whole numbers are printed exactly.
expect 2 flamegraph $'nope\e[31m'
lacks "$err" $'\e'
echo 'a 9007199254740991' >large.folded
expect 0 flamegraph --format json large.folded
has "$out" '"value":9007199254740991'
