# --version is accepted wherever an option may appear.
. "$LIB"

"$PAWL" --version
"$PAWL" -V
"$PAWL" run --version
"$PAWL" -q run --version
"$PAWL" --color never compare -V
nothing_measured
