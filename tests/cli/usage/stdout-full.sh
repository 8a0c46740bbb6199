# Standard output that is full or closed, or whose reader is gone, is a failure. A full disk must not look like a pass.

mk_quick a
for words in --help --version check 'run a -q' 'run a -q --json' 'run --help' report doctor; do
  status=0
  # shellcheck disable=SC2086
  "$PAWL" $words >/dev/full 2>"$err" || status=$?
  [[ $status -eq 3 ]] || fail "pawl $words >/dev/full: status $status"
  has "$err" 'cannot write to standard output' 'No space left on device'
done
for words in --version check 'run a -q'; do
  # shellcheck disable=SC2016,SC2086
  ends 3 bash -c '"$@" >&-' bash "$PAWL" $words
  has "$err" 'cannot write to standard output'
done
rm -r pawl-out
{ "$PAWL" run a -q --json || echo $? >"$CASE_DIR/kept/status"; } 2>/dev/null | true
[[ $(cat "$CASE_DIR/kept/status") != 0 ]] || fail 'a reader that is gone was not noticed'
[[ -s pawl-out/latest/result.json ]] || fail 'the result was lost with the reader'
