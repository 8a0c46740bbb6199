# Results of different machine classes do not merge silently.

mk_quick a
mk_quick b
PAWL_MACHINE=box-one expect 0 run a --out one
PAWL_MACHINE=box-two expect 0 run b --out two
status=0
"$PAWL" report one two >"$out" 2>"$err" || status=$?
[[ $status -eq 2 ]] || { [[ $status -eq 0 ]] && has "$out" box-one box-two; }
