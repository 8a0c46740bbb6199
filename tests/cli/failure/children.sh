# Children that a target leaves behind are ended and named, and the run fails.

marker=left-$$-behind
cat >leave.sh <<'SH'
sh -c 'sleep 300; : '"$1" &
echo started
SH
mk_scenario a <<YAML
target: { command: [sh, leave.sh, $marker] }
measure: { runs: 2 }
YAML
mk_quick b
expect 3 run
gone "$marker"
has "$out" 'the target ended but left' 'which pawl ended: sh ('
holds '[.scenarios[].state] == ["failed", "measured"]'
