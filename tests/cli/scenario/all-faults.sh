# All faults of an invalid scenario are reported at once, each with its place, line and caret.

mkdir scenarios
cat >scenarios/bad.yaml <<'YAML'
version: 2
naem: bad
target:
  command: [./prog, 7, {a: b}]
  comand: ./prog
  timeout: 3s
warmup: { runs: -1 }
measure:
  runs: many
  budget: 90
  counters: hardware
  events: [cycles, cycles]
  cpus: one
gates:
  taks-clock: +5%
  ipc: +100%
  page-faults: +1%
  page-faults: +2%
  max-rss: { maks: 1MiB }
YAML
"$PAWL" run || status=$?
nothing_measured
exit "$status"
