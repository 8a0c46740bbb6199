# What a later version will measure is said to be that, not called unknown.
. "$LIB"

mk_scenario a <<YAML
target: { command: "true" }
profile: { kinds: [cpu, offcpu, heap] }
YAML
"$PAWL" check
