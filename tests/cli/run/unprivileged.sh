# An ordinary user at paranoid 2 counts the permitted events, and the tier is user-only.

need_root
need setpriv
[[ $(cat /proc/sys/kernel/perf_event_paranoid) == 2 ]] || skip 'kernel.perf_event_paranoid is not 2 here'
chmod 755 "$CASE_DIR"
chmod -R 777 "$CASE_DIR/project" "$CASE_DIR/runtime"
cp "$PAWL" "$CASE_DIR/pawl"
mk_scenario a <<'YAML'
target: { command: "id -u >>who; i=0; while [ $$i -lt 20000 ]; do i=$$((i+1)); done" }
measure: { runs: 3, events: [context-switches] }
gates: { task-clock: +25%, page-faults: +50%, context-switches: +50% }
YAML
as_nobody() { setpriv --reuid nobody --regid nogroup --clear-groups --no-new-privs "$CASE_DIR/pawl" "$@"; }
as_nobody run --json -q >"$out"
[[ $(sort -u who) == "$(id -u nobody)" ]] || fail "ran as $(cat who)"
result '.machine.tier | test("user")' "$out"
result '.scenarios[0].gates[] | "\(.metric) \(.verdict)"' "$out"
holds '.scenarios[0].runs | all(.["task-clock"] > 0 and .["page-faults"] > 0)' "$out"
holds '.scenarios[0].runs | all((.["context-switches"] // null) == null)' "$out"
holds '.machine.tier_remedy | contains("perf_event_paranoid")' "$out"
