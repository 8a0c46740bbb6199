# `baselines:` of pawl.yaml is the folder to read from and write to.

mk_quick a
echo 'baselines: perf/accepted' >pawl.yaml
expect 0 baseline update --reason first
[[ ! -e baselines && -d perf/accepted/a ]] || fail 'written elsewhere'
expect 0 run --strict
holds '.scenarios[0].gates[0].verdict == "pass"'
rm pawl.yaml
expect 0 run
first_line_has "$out" 'measured for the first time'
