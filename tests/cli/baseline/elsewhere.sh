# --baselines DIR is the folder to read from and write to.
. "$LIB"

mk_quick a
expect 0 baseline update --force --reason first --baselines ../accepted
[[ ! -e baselines && -d ../accepted/a ]] || fail 'written elsewhere'
expect 0 run --baselines ../accepted --strict
holds '.scenarios[0].gates[0].verdict == "pass"'
expect 0 run
first_line_has "$out" 'measured for the first time'
