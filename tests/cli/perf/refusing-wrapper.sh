# If perf refuses this kernel, as Ubuntu's wrapper does, the error has the remedy.

mk_perf <<'SH'
printf 'WARNING: perf not found for kernel 9.9.9-9\n\n  You may need to install the following packages:\n' >&2
exit 2
SH
mk_quick a
expect 3 run
has "$err" 'PAWL_PERF' 'WARNING: perf not found for kernel 9.9.9-9'
PAWL_PERF=/no/such/perf expect 3 run
has "$err" /no/such/perf 'PAWL_PERF'
