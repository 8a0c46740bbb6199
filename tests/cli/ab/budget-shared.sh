# The budget that first looks leave goes in equal parts to scenarios that can be decided.
# The others get the remainder.

need awk
# swing.sh SWING FILE prints a value whose logarithm swings by SWING around the other side's.
cat >swing.sh <<'SH'
sleep 0.1
echo run >>"$2"
awk -v n="$(wc -l <"$2")" -v side="$(cat side)" -v swing="$1" 'BEGIN { print "value", 100 * exp(side * swing * (n * 7 % 5 - 2) / 2) }'
SH
# swinging NAME SWING: adds a scenario that runs swing.sh.
swinging() {
  mk_scenario "$1" <<YAML
target: { command: [sh, swing.sh, "$2", "\${tmp}/runs"] }
warmup: { runs: 0 }
measure: { budget: 8s }
metrics: [{ name: value, regex: 'value ([0-9.]+)', unit: ms, better: lower }]
gates: { value: +5% }
YAML
}
pairs_of() { result ".scenarios[] | select(.name == \"$1\").pairs | length"; }
mkdir ../base
echo 0 >../base/side
cp swing.sh ../base
echo 1 >side

# The first scenario in order cannot be decided, and does not delay the second.
swinging a-far 3
swinging b-near 0.14
expect 0 run --measure-identical --base ../base --no-profile
[[ $(pairs_of a-far) -gt 11 || $(pairs_of b-near) -gt 11 ]] || skip 'this machine spends all of it on the first looks'
# Once b-near is decided, a-far gets the rest, and may end with more pairs.
verdict=$(result '.scenarios[] | select(.name == "b-near").gates[0].verdict')
[[ $verdict == pass ]] || (($(pairs_of b-near) > $(pairs_of a-far))) ||
  fail "a-far has $(pairs_of a-far) pairs, b-near $(pairs_of b-near) and is $verdict"
has "$out" 'the budget of 8 s a scenario is shared: it ended after' 'for all 2; --budget TIME raises it'
# The note reports what was spent.
[[ $(result '.scenarios[] | select(.name == "a-far").notes[]') =~ ended\ after\ ([0-9]+)\ pairs\ of\ this\ one\ in\ ([0-9.]+)\ s,\ ([0-9.]+)\ s ]] ||
  fail "$(result '.scenarios[].notes[]')"
((BASH_REMATCH[1] == $(pairs_of a-far))) || fail "${BASH_REMATCH[0]}"
awk -v one="${BASH_REMATCH[2]}" -v all="${BASH_REMATCH[3]}" 'BEGIN { exit !(one < all && all > 5 && all < 60) }' || fail "${BASH_REMATCH[0]}"

# Neither scenario can be decided, so they share the rest.
rm scenarios/b-near.yaml
swinging b-far 3
expect 0 run --measure-identical --base ../base --no-profile
a=$(pairs_of a-far) b=$(pairs_of b-far)
((a >= 10 && b >= 10 && a < 2 * b && b < 2 * a)) || fail "a-far has $a pairs, b-far $b"

# A scenario that runs alone has its own budget.
expect 0 run a-far --measure-identical --base ../base --no-profile
has "$out" 'the budget of 8 s ended after' '; --budget TIME raises it'
