# If perf is killed during a run, that run is not measured, and pawl gives the reason.

mk_perf <<'SH'
if [[ -e armed ]]; then
  echo $$ >perf.pid
fi
exec "$TRUE_PERF" "$@"
SH
mk_scenario a <<'YAML'
target: { command: "test ! -e perf.pid || kill -KILL $$(cat perf.pid); sleep 0.1" }
prepare: touch armed
measure: { runs: 2 }
YAML
expect 3 run
result '.scenarios[0].failure'
