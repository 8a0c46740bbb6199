# Every command has help that fits on a screen, by --help and by `help COMMAND`: usage, three examples, grouped options.
# The rest is in `help --all COMMAND`. Help measures nothing.

options() { grep -oE '^ +(-[a-zA-Z],)? *--[a-z-]+' "$1" | grep -oE -- '--[a-z-]+'; }
commands=$("$PAWL" help --all | sed -nE 's/^  ([a-z]+)  +[a-z].*/\1/p')
[[ $(wc -w <<<"$commands") -ge 13 ]] || fail "help --all lists too few commands: $commands"
for command in $commands; do
  expect 0 "$command" --help
  first_line_has "$out" "pawl $command: "
  has "$out" "usage: pawl $command [OPTION...]" '-h, --help' "pawl help --all $command"
  [[ ! -s $err ]] || fail "help of $command talks on standard error"
  "$PAWL" help "$command" | diff - "$out"
  "$PAWL" "$command" -h | diff - "$out"
  [[ $(wc -l <"$out") -le 40 && $(wc -L <"$out") -le 80 ]] || fail "help of $command is too long: $(wc -lL <"$out")"
  [[ $(sed -n '/^usage/,/:$/p' "$out" | grep -c '^  .*pawl ') -eq 3 ]] || fail "help of $command has not three examples"
  options "$out" >"$CASE_DIR/kept/shown"
  [[ $(wc -l <"$CASE_DIR/kept/shown") -le 20 ]] || fail "help of $command has too many options: $(wc -l <"$CASE_DIR/kept/shown")"
  cat "$CASE_DIR/kept/shown" >>"$CASE_DIR/kept/all"
  expect 0 help --all "$command"
  has "$out" '--color WHEN' '-V, --version'
done
[[ $(sort -u "$CASE_DIR/kept/all" | wc -l) -le 40 ]] || fail "too many options: $(sort -u "$CASE_DIR/kept/all" | wc -l)"
"$PAWL" --help >"$out"
[[ $(wc -l <"$out") -le 20 ]] || fail "the first help is too long: $(wc -l <"$out")"
has "$out" init run ab baseline report doctor 'pawl help --all'
nothing_measured
