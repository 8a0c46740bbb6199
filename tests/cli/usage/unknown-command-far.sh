# Without a similar command none is suggested.
. "$LIB"

"$PAWL" frobnicate
