# Plain lines on standard error where there is no terminal.
. "$LIB"

mk_quick a
mk_quick b
"$PAWL" run >/dev/null
