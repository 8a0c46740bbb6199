# An accepted result of a server is shown per unit of work, in its units, whatever the load's total.

web() {
  server_scenario web '' "$1" count <<'YAML'
metrics:
  - { name: p99, regex: 'p99 ([0-9.]+) ms', unit: ms, better: lower }
  - { name: rps, regex: 'rate ([0-9.]+)', unit: req/s, better: higher }
measure: { runs: 2 }
gates: { task-clock: +50%, p99: { max: 10s } }
YAML
}
web 40
expect 0 baseline update
expect 0 baseline show web
grep -qE '^  task-clock per request +[0-9.]+ ms +[0-9.]+ ms +[0-9.]+ ms +2$' "$out" || fail "$(cat "$out")"
grep -qE '^  p99 +[0-9.]+ [mu]s ' "$out" || fail "$(cat "$out")"
grep -qE '^  rps +[0-9.]+ req/s ' "$out" || fail "$(cat "$out")"
grep -qE '^  work +40 ' "$out" || fail "$(cat "$out")"
lacks "$out" 'per-work' '  task-clock  '

mk_repo
web 80
expect 0 baseline update --reason 'more requests'
grep -qE '^    task-clock per request +[0-9.]+ ms -> [0-9.]+ ms  ' "$err" || fail "$(cat "$err")"
grep -qE '^    p99 +[0-9.]+ [mu]s -> [0-9.]+ [mu]s  ' "$err" || fail "$(cat "$err")"
lacks "$err" '+100'
expect 0 baseline diff
grep -qE '^  task-clock per request +[0-9.]+ ms -> [0-9.]+ ms  ' "$out" || fail "$(cat "$out")"
grep -qE '^  work +40 -> 80  \+100 %$' "$out" || fail "$(cat "$out")"
lacks "$out" 'per-work' '  task-clock  '
expect 0 baseline diff --json
holds '.changed[0].metrics | map(.metric) | (index("task-clock") and index("task-clock-per-work")) != null' "$out"

# Another unit is not compared, and words of the file reach the terminal escaped.
sed -i 's/"p99 ms /"p99 count /; s/"work request /"work \\u001b[1mrequest /; s/"rps req/"rps \\u202ereq/' baselines/web/*.json
expect 0 baseline diff
grep -qE '^  p99 +- -> [0-9.]+  -$' "$out" || fail "$(cat "$out")"
has "$out" 'task-clock per unit of work'
! grep -q $'\x1b\|\u202e' "$out" || fail 'a terminal would obey'
