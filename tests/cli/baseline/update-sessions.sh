# --sessions measures and adds several sessions, each with the reason, however busy the machine was.

mk_quick a
mk_quick b
jq_sessions() { jq -c '[.sessions | length, (map(.measurement) | unique | length), (map(.reason) | unique)]' baselines/"$1"/*.json; }

expect 0 baseline update --sessions 3 --reason 'a first one'
has "$err" 'session 1 of 3' 'session 3 of 3' 'added to b' 'session 3 ('
jq_sessions a
jq_sessions b
[[ $(ls -d pawl-out/2* | wc -l) -eq 3 ]] || fail "not three folders: $(ls pawl-out)"

# The same program is added without a reason. --json prints one result.
expect 0 baseline update --sessions 2 --json a
[[ $(jq -s length "$out") == 1 ]] || fail 'not one result'
jq_sessions a

# If a later session fails, the earlier ones are kept, and the message says what is missing.
mk_scenario c <<'YAML'
target: { command: 'test ! -e stop' }
cleanup: 'test -e once && touch stop || touch once'
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
expect 3 baseline update c --sessions 3 --reason new
has "$err" 'not accepted: c' 'accepted before: 2 of 3 sessions' '--sessions 1 adds the others'
jq_sessions c

for bad in '--sessions 0' '--sessions x' "--sessions 2 --from pawl-out/latest" '--sessions 2 --out there'; do
  # shellcheck disable=SC2086
  expect 2 baseline update $bad
  head -n 1 "$err"
done
