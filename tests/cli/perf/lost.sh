# A perf that refuses the target, never answers or is killed during a run costs that scenario, which quotes the reason. It is
# ended in time, and the target does not run uncounted.

mk_perf <<'SH'
case $(cat armed 2>/dev/null) in
  refuses) echo 'Error: No permission to enable task-clock event.' >&2; exit 255 ;;
  hangs) exec -a perf-that-hangs sleep 300 ;;
  killed) echo $$ >perf.pid ;;
esac
exec "$TRUE_PERF" "$@"
SH
# lost KIND COMMAND: a scenario whose perf is lost while it measures COMMAND.
lost() {
  mk_scenario "$1" "prepare: echo $1 >armed" "target: { command: \"$2\" }" 'cleanup: rm armed' 'warmup: { runs: 0 }' \
    'measure: { runs: 2 }'
}
lost refuses 'touch started'
lost hangs 'touch started'
lost killed 'kill -KILL $$(cat perf.pid); sleep 0.1'
expect 3 run
gone perf-that-hangs
result '.scenarios[] | "\(.name): \(.failure)"'
[[ ! -e started ]] || fail 'the target ran uncounted'
holds '.elapsed_s < 60'
