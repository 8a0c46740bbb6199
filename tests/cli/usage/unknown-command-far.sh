# Nothing is guessed when nothing is near.
. "$LIB"

"$PAWL" frobnicate
