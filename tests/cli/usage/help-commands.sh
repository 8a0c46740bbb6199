# Every command has help, by --help and by `help COMMAND`. Help measures nothing.
. "$LIB"

commands=$("$PAWL" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
[[ $(wc -w <<<"$commands") -ge 7 ]] || fail "--help lists too few commands: $commands"
for command in $commands; do
  expect 0 "$command" --help
  first_line_has "$out" "pawl $command: "
  has "$out" "usage: pawl $command [OPTION...]" '--color auto|always|never' '-h, --help'
  [[ ! -s $err ]] || fail "help of $command talks on standard error"
  "$PAWL" help "$command" | diff - "$out"
  "$PAWL" "$command" -h | diff - "$out"
done
nothing_measured
