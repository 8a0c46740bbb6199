# PAWL_PERF selects the perf, and the result names it. perf runs in the C locale. The target keeps the caller's locale.

mk_perf <<'SH'
[[ " $* " != *" stat "* ]] || echo "$LC_ALL" >>perf-locale
exec "$TRUE_PERF" "$@"
SH
mk_scenario a <<'YAML'
target: { command: "echo $$LC_ALL >>target-locale" }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
ends 0 env LC_ALL=de_DE.UTF-8 "$PAWL" run
sort -u perf-locale
sort -u target-locale
holds '.scenarios[0].runs | all(.["task-clock"] > 0 and .["task-clock"] < 1000)'
holds ".machine.perf_path == \"$PWD/perf\" and (.machine.perf_version | length) > 2"
