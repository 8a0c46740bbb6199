# pawl without a command.
. "$LIB"

"$PAWL"
