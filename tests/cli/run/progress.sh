# Without a terminal progress is plain lines on standard error.

mk_quick a
mk_quick b
"$PAWL" run >/dev/null
