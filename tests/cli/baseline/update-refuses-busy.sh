# Runs of a busy machine are not accepted, and the message says how to accept them.
. "$LIB"

mk_quick a
expect 0 run
jq '.busy = ["other processes used 1.9 of 2 CPUs while measuring"]' pawl-out/latest/result.json >busy.json
expect 3 baseline update --from busy.json --reason x
has "$err" 'not accepted, because the machine was busy: other processes used 1.9 of 2 CPUs' '--from' '--force'
[[ ! -e baselines ]] || fail 'it was accepted all the same'
expect 0 baseline update --from busy.json --reason x --force
[[ -e baselines/a ]] || fail 'it was not accepted'
