# Output that cannot be written is a failure. A full disk must not look like a pass.

mk_quick a
for words in --help --version check 'run a -q' 'run a -q --json' 'run --help' report doctor; do
  status=0
  # shellcheck disable=SC2086
  "$PAWL" $words >/dev/full 2>"$err" || status=$?
  [[ $status -eq 3 ]] || fail "pawl $words >/dev/full: status $status"
  has "$err" 'cannot write to standard output' 'No space left on device'
done
