# What a later version will read is said to be that, not called unknown.
. "$LIB"

mk_scenario a <<YAML
target: { command: "true" }
profile: {}
gates: { symbols: { top: 10 }, budgets: [] }
YAML
"$PAWL" check
