# `check` tells every fault of every scenario and baseline, and has nothing to say otherwise.
. "$LIB"

mk_quick a
mk_quick b
"$PAWL" check
mkdir -p baselines/a
echo '{' >baselines/a/some-class.json
echo 'target: 7' >scenarios/b.yaml
"$PAWL" check
