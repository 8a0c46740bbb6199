# pawl's help has every command with its summary and every exit status. -h, help and --help are equal.
. "$LIB"

"$PAWL" --help
"$PAWL" -h | diff - <("$PAWL" --help)
"$PAWL" help | diff - <("$PAWL" --help)
