# PAWL_PERF selects the perf, and the result names it.

mk_perf <<<'exec "$TRUE_PERF" "$@"'
mk_quick a
expect 0 run
holds ".machine.perf_path == \"$PWD/perf\" and (.machine.perf_version | length) > 2"
