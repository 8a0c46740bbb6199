# A target that hangs is ended with all its processes, even if it ignores SIGTERM.

marker=hangs-$$-here
mk_scenario a <<YAML
target: { command: "trap '' TERM INT; echo waiting for what never comes; sleep 300 $marker 2>/dev/null || sleep 300; : $marker" }
measure: { runs: 2, timeout: 1s }
YAML
mk_quick b
expect 3 run
gone "$marker"
result '.scenarios[0].failure'
has "$out" 'waiting for what never comes'
holds '[.scenarios[].state] == ["failed", "measured"] and .elapsed_s < 15'
