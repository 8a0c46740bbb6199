# A target leaves two hundred children in their own sessions. All of them are ended.

marker=storm-$$-here
cat >storm.sh <<'SH'
i=0
while [ $i -lt 200 ]; do
  setsid sh -c 'sleep 300; : '"$1" &
  i=$((i + 1))
done
SH
mk_scenario a <<YAML
target: { command: [sh, storm.sh, $marker] }
measure: { runs: 2 }
YAML
expect 3 run
gone "$marker"
holds '.scenarios[0].failure | capture("left (?<n>[0-9]+) processes").n | tonumber >= 200'
