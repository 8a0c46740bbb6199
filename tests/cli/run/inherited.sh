# pawl works with an inherited ignored SIGCHLD and closed standard streams.

need python3
mk_quick a
timeout 60 python3 -c 'import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])' "$PAWL" run >"$out" 2>"$err" </dev/null || fail "status $? with SIGCHLD ignored"
holds '.scenarios[0].runs | length == 3'

for streams in '<&-' '<&- 2>&-' '2>&-'; do
  rm -rf pawl-out
  eval "timeout 60 '$PAWL' run -q >'$out' $streams" || fail "status $? with $streams"
  has "$out" 'a '
  holds '.scenarios[0].runs | length == 3'
done
rm -rf pawl-out
status=0
timeout 60 "$PAWL" run <&- >&- 2>"$err" || status=$?
[[ $status -eq 3 ]] || fail "status $status without standard output"
has "$err" 'cannot write to standard output'
holds '.scenarios[0].runs | length == 3'
