# PAWL_PERF selects the perf, and the result names it.
. "$LIB"

mk_perf <<'SH'
exec "$TRUE_PERF" "$@"
SH
mk_quick a
expect 0 run
holds ".machine.perf_path == \"$PWD/perf\" and (.machine.perf_version | length) > 2"
