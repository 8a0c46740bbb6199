# Output that cannot be written is reported: a reader that left, a limit on file size, no memory.

mk_quick b
expect 0 run b --no-profile
for command in 'check' 'report pawl-out/latest' 'report pawl-out/latest --format html'; do
  status=0
  # shellcheck disable=SC2086
  { "$PAWL" $command 2>"$err" || echo $? >status; } | true
  # The reader may live a moment longer.
  if [[ -e status ]]; then
    [[ $(cat status) -eq 3 ]] || fail "pawl $command without a reader: status $(cat status)"
    has "$err" 'Broken pipe'
    rm status
  fi
done

status=0
(ulimit -f 1; "$PAWL" report pawl-out/latest --format html -o limited.html) >"$out" 2>"$err" || status=$?
[[ $status -eq 3 ]] || fail "files of 1 KiB at most: status $status"
has "$err" 'File too large'

# The sanitizers need more memory than any limit.
grep -q __asan_init "$PAWL" && exit 0
jq '.scenarios[0].notes = [range(100000) | "a note of some length, number \(.)"]' pawl-out/latest/result.json >big.json
status=0
{ (ulimit -v 30000; exec "$PAWL" report big.json --format json >"$out" 2>"$err") || status=$?; } 2>/dev/null
[[ $status -eq 134 ]] || fail "30 MB: status $status, $(wc -c <"$out") bytes"
has "$err" 'pawl: out of memory'
