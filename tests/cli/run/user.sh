# `user:` runs the target as another user, without any of root's privileges.

need_root
id nobody >/dev/null 2>&1 || skip 'there is no user nobody'
chmod 755 "$CASE_DIR" .
mkdir -m 777 open
mk_scenario a <<'YAML'
target: { command: "id -u >>open/who; id -G >>open/groups; grep CapEff /proc/self/status >>open/caps", user: nobody }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
expect 0 run
[[ $(sort -u open/who) == "$(id -u nobody)" ]] || fail "ran as $(cat open/who)"
[[ $(sort -u open/groups) == "$(id -G nobody)" ]] || fail "groups: $(cat open/groups)"
sort -u open/caps
holds '.scenarios[0].runs | length == 2 and all(.["task-clock"] > 0)'
sed -i s/nobody/nobody-at-all/ scenarios/a.yaml
expect 3 run
result '.scenarios[0].failure'
