# What a later version will read is said to be that, not called unknown.
. "$LIB"

mk_scenario a <<YAML
target: { service: redis }
env: []
load: {}
profile: {}
gates: { symbols: { top: 10 } }
YAML
"$PAWL" check
