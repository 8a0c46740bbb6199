# --name VALUE and --name=VALUE, joined short options, options before the command and after its
# arguments, and -- that ends options.

mk_quick a
"$PAWL" check --tag=none || echo "status $?"
"$PAWL" check --tag none || echo "status $?"
"$PAWL" check a -qv
"$PAWL" -q check a
"$PAWL" check -- a
"$PAWL" check -- -q || echo "status $?"
