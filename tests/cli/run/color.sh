# Colour appears only on a terminal or on request. --color overrides NO_COLOR. Without a terminal progress is plain lines on
# standard error.

mk_quick a
mk_quick b
escape=$(printf '\033[')
expect 0 run
cat "$err"
lacks "$out" "$escape"
expect 0 run --color always
has "$out" "$escape"
NO_COLOR=1 expect 0 report --color always
has "$out" "$escape"
need script
script -qec true /dev/null >/dev/null 2>&1 </dev/null || skip "no pseudo-terminal can be made here"
TERM=xterm script -qec "'$PAWL' report --color auto" /dev/null >"$out" </dev/null
has "$out" "$escape"
NO_COLOR=1 TERM=xterm script -qec "'$PAWL' report" /dev/null >"$out" </dev/null
lacks "$out" "${escape}1" "${escape}3"
TERM=xterm script -qec "'$PAWL' report --color never" /dev/null >"$out" </dev/null
lacks "$out" "${escape}1" "${escape}3"
