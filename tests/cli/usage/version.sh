# The version, in every place where an option may stand.
. "$LIB"

"$PAWL" --version
"$PAWL" -V
"$PAWL" run --version
"$PAWL" -q run --version
"$PAWL" --color never compare -V
nothing_measured
