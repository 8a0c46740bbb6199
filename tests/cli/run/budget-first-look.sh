# A scenario's budget bounds the first look at pairs, too. The report says what it left out.

mk_scenario slow 'target: { command: [sleep, "0.7"] }' 'measure: { budget: 4s }' 'gates: { wall-time: 5% }'
expect 0 run --base . -v --measure-identical
first_line_has "$out" 'INCONCLUSIVE slow'
has "$out" 'the budget of 4 s ended after' 'which leaves the profile and the cause out; --budget TIME raises it'
holds '.scenarios[0] | (.pairs | length) >= 1 and (.pairs | length) < 6'
has "$err" 'building both sides took'
