# perf can count but fails to record, or to read its recording. The counted runs stay, without a profile.

mk_scenario a <<'YAML'
target: { command: "true" }
warmup: { runs: 0 }
measure: { runs: 2 }
profile: { frequency: 997, samples: 30, duration: 1s }
YAML
tells() {
  expect 0 run
  holds '.scenarios[0].state == "measured" and (.scenarios[0].runs | length) == 2'
  holds ".scenarios[0].notes | any(test(\"$1\"))"
  [[ ! -e pawl-out/latest/a/stacks.folded ]] || fail 'there are stacks of a profile that was not taken'
}
mk_perf <<'SH'
[ "$1" != record ] || { echo 'Error: No permission to sample.' >&2; exit 255; }
exec "$TRUE_PERF" "$@"
SH
tells 'no profile could be taken: in profiled run 1: perf record cannot attach: Error: No permission to sample'
mk_perf <<'SH'
[ "$1" != script ] || { echo 'cannot read this' >&2; exit 3; }
exec "$TRUE_PERF" "$@"
SH
tells 'perf script exited with status 3 on .*/perf.data: cannot read this'
mk_perf <<'SH'
[ "$1" != script ] || { echo 'no text that perf script writes'; exit 0; }
exec "$TRUE_PERF" "$@"
SH
tells 'no profile could be taken: in profiled run 1: .*line 1'
mk_perf <<'SH'
[ "$1" != record ] || { "$TRUE_PERF" "$@" & sleep 0.3; kill -KILL $!; wait; kill -KILL $$; }
exec "$TRUE_PERF" "$@"
SH
tells 'no profile could be taken: in profiled run 1: perf record '
