# --name VALUE and --name=VALUE, joined short options, options before the command and after its
# arguments, and -- that ends options.
. "$LIB"

mk_quick a
"$PAWL" list --tag=none || echo "status $?"
"$PAWL" list --tag none || echo "status $?"
"$PAWL" list a -qv
"$PAWL" -q list a
"$PAWL" list -- a
"$PAWL" list -- -q || echo "status $?"
