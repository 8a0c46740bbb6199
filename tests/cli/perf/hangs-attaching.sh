# A perf that never answers while attaching is ended in time, and no process remains.

mk_perf <<'SH'
[[ ! -e armed ]] || exec -a perf-that-hangs sleep 300
exec "$TRUE_PERF" "$@"
SH
mk_scenario a <<'YAML'
target: { command: touch started }
prepare: touch armed
warmup: { runs: 0 }
measure: { runs: 2 }
YAML
expect 3 run
gone perf-that-hangs
result '.scenarios[0].failure'
[[ ! -e started ]] || fail 'the target ran uncounted'
holds '.elapsed_s < 60'
