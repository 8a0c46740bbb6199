# A mistyped command is misuse, and the most similar one is suggested.
. "$LIB"

"$PAWL" rnu
