# Standard output that is closed, or whose reader is gone, is a failure.

mk_quick a
for words in --version check 'run a -q'; do
  status=0
  # shellcheck disable=SC2086
  "$PAWL" $words >&- 2>"$err" || status=$?
  [[ $status -eq 3 ]] || fail "pawl $words >&-: status $status"
  has "$err" 'cannot write to standard output'
done
status=0
{ "$PAWL" run a -q --json || echo $? >"$CASE_DIR/kept/status"; } 2>/dev/null | true
[[ $(cat "$CASE_DIR/kept/status") != 0 ]] || fail 'a reader that is gone was not noticed'
[[ -s pawl-out/latest/result.json ]] || fail 'the result was lost with the reader'
