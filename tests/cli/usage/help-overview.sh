# Help of pawl: every command with its summary, every exit status; the same by -h, help and --help.
. "$LIB"

"$PAWL" --help
"$PAWL" -h | diff - <("$PAWL" --help)
"$PAWL" help | diff - <("$PAWL" --help)
