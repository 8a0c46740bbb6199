# Without a similar command none is suggested.

"$PAWL" frobnicate
