# An ordinary user at paranoid 2 counts the permitted events, and the tier is user-only.

need_root
need setpriv
[[ $(cat /proc/sys/kernel/perf_event_paranoid) == 2 ]] || skip 'kernel.perf_event_paranoid is not 2 here'
mk_scenario a <<'YAML'
target: { command: "id -u >>who; i=0; while [ $$i -lt 20000 ]; do i=$$((i+1)); done" }
measure: { runs: 3, events: [context-switches] }
gates: { task-clock: +25%, page-faults: +50%, context-switches: +50% }
YAML
be_ordinary
expect 0 run --json -q
[[ $(sort -u who) == 65534 ]] || fail "ran as $(cat who)"
result '.machine.tier | test("user")' "$out"
result '.scenarios[0].gates[] | "\(.metric) \(.verdict)"' "$out"
holds '.scenarios[0].runs | all(.["task-clock"] > 0 and .["page-faults"] > 0)' "$out"
holds '.scenarios[0].runs | all((.["context-switches"] // null) == null)' "$out"
holds '.machine.tier_remedy | contains("perf_event_paranoid")' "$out"
