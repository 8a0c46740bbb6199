# Options change the picture. Every picture is valid XML, whatever the symbols' names.
need python3

valid() { python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" || fail "$* is no XML"; }

printf 'main;work 600\nmain;work;inner 300\nmain;</title><script>alert(1)</script> 50\nmain;]]>&\001\377 49\nthin 1\n' >good
expect 0 flamegraph good
valid "$out"
has "$out" '<title>good</title>' '1,000 samples' '&lt;/title&gt;&lt;script&gt;alert(1)' 'prefers-color-scheme:dark'
lacks "$out" '<script>alert' 'few samples'
grep -qE 'src=|href=|url\(|@import' "$out" && fail 'the picture needs something from elsewhere'
expect 0 flamegraph --title 'T <1>' good
valid "$out"
has "$out" 'T &lt;1&gt;'
printf 'app;main;[pipe] 2000000\n' >waits
expect 0 flamegraph --format json waits
has "$out" '{"name":"all","value":2000000,"children":[{"name":"app"'
expect 0 flamegraph --format json good
python3 - "$out" <<'PY'
import json, sys
root = json.load(open(sys.argv[1], encoding='utf-8'))
assert root['value'] == 1000, root['value']
main = [c for c in root['children'] if c['name'] == 'main'][0]
assert main['value'] == 999 and sum(c['value'] for c in main['children']) == 999
PY
expect 0 flamegraph --format top good
has "$out" work inner 60.00
# Weights of two events cannot be added. Folded text keeps them apart, and pictures show one and name the others.
{
  printf 'sh 1/1  5.000001:     7 cycles:u: \n\tffff main (/bin/a)\n\n'
  printf 'sh 1/1  5.00000%d:     3 instructions:u: \n\tffff main (/bin/a)\n\n' 2 3
} >two.txt
expect 0 flamegraph --format folded two.txt
[[ $(cat "$out") == $'[cycles:u];sh;main 7\n[instructions:u];sh;main 6' && ! -s $err ]] || fail "shown was $(cat "$out")"
expect 0 flamegraph --format json two.txt
has "$out" '"value":6'
has "$err" 'two.txt: showing event instructions:u of: cycles:u instructions:u; --event picks another'
expect 0 flamegraph --format folded --event cycles two.txt
[[ $(cat "$out") == 'sh;main 7' && ! -s $err ]] || fail "shown was $(cat "$out")"
# Both sides show the same event if they can.
printf 'sh 1/1  5.000001:     7 cycles:u: \n\tffff main (/bin/a)\n\n' >one.txt
expect 0 flamegraph --diff two.txt one.txt
has "$out" 'two.txt: 1 sample, weight 7 cycles:u'
lacks "$err" 'showing event'
# A reader that closes the pipe early does not crash pawl.
status=0
{ "$PAWL" flamegraph good 2>/dev/null || status=$?; echo "$status" >"$CASE_DIR/kept/status"; } | head -c 10 >"$CASE_DIR/kept/start"
[[ $(cat "$CASE_DIR/kept/status") =~ ^(0|3|141)$ ]] || fail "status $(cat "$CASE_DIR/kept/status") when the reader is gone"
