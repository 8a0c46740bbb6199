# If perf refuses this kernel, as Ubuntu's wrapper does, the error has the remedy. If the wrapper is on PATH, pawl uses a real
# perf below linux-tools, or reports that none exists.

mk_perf <<'SH'
printf 'WARNING: perf not found for kernel 9.9.9-9\n\n  You may need to install the following packages:\n' >&2
exit 2
SH
mk_quick a
expect 3 run
has "$err" 'PAWL_PERF' 'WARNING: perf not found for kernel 9.9.9-9'
PAWL_PERF=/no/such/perf expect 3 run
has "$err" /no/such/perf 'PAWL_PERF'

mkdir bin
mv perf bin/perf
unset PAWL_PERF
status=0
PATH=$PWD/bin:$PATH "$PAWL" run --json >"$out" 2>"$err" || status=$?
case $status in
  0) holds '.machine.perf_path | test("linux-tools|perf_")' "$out" ;;
  3) has "$err" 'WARNING: perf not found for kernel 9.9.9-9' 'to install it:' ;;
  *) fail "status $status" ;;
esac
