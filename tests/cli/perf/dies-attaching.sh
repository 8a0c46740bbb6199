# If perf refuses the target, its message is quoted.

mk_perf <<'SH'
if [[ -e armed ]]; then
  echo 'Error: No permission to enable task-clock event.' >&2
  exit 255
fi
exec "$TRUE_PERF" "$@"
SH
mk_scenario a <<'YAML'
target: { command: "true" }
prepare: touch armed
warmup: { runs: 0 }
measure: { runs: 2 }
YAML
expect 3 run
result '.scenarios[0].failure'
