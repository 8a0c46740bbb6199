# If the machine is busy before measuring, pawl names the processes at once and measures nothing.
. "$LIB"

mk_quick a
for ((i = 0; i < $(nproc); i++)); do
  bash -c 'while :; do :; done' hog-$$ &
done
trap 'kill $(jobs -p)' EXIT
expect 3 baseline update --reason first
has "$err" 'because the machine is busy: other processes use ' 'load average' '--force'
grep -qE 'load average [0-9.]+\): [^;]+ \([0-9]+\) [0-9.]+' "$err" || fail "$(cat "$err")"
nothing_measured
[[ ! -e baselines ]] || fail 'it was accepted'
expect 0 baseline update --reason first --force
[[ -e baselines/a ]] || fail 'it was not accepted'
