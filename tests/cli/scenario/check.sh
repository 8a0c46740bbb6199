# `check` reports every fault of every scenario and baseline. Without faults it says so in one line.

mk_quick a
mk_quick b
"$PAWL" check
mkdir -p baselines/a
echo '{' >baselines/a/some-class.json
echo 'target:' >scenarios/b.yaml
"$PAWL" check
