# A mistyped command is misuse, and the nearest one is named.
. "$LIB"

"$PAWL" rnu
