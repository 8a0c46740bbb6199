# `pawl` alone names the first commands, and is misuse: nothing was measured. help, -h and --help say the same.
# `help --all` has every command, option and exit status.

"$PAWL" --help
for words in -h help; do "$PAWL" $words | diff - <("$PAWL" --help); done
expect 2
diff "$out" <("$PAWL" --help)
echo
"$PAWL" help --all
