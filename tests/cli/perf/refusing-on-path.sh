# Ubuntu's wrapper is on PATH: pawl uses a real perf below linux-tools, or reports that none exists.

mkdir bin
cat >bin/perf <<'SH'
#!/bin/sh
echo 'WARNING: perf not found for kernel 9.9.9-9' >&2
exit 2
SH
chmod +x bin/perf
mk_quick a
status=0
PATH=$PWD/bin:$PATH "$PAWL" run --json >"$out" 2>"$err" || status=$?
case $status in
  0) holds '.machine.perf_path | test("linux-tools|perf_")' "$out" ;;
  3) has "$err" 'WARNING: perf not found for kernel 9.9.9-9' 'to install it:' ;;
  *) fail "status $status" ;;
esac
