# Interrupted during the warm-up: in its command, and in a warm-up run of the target.

marker=warmup-$$-long
mk_scenario a <<YAML
target: { command: touch started }
warmup: { command: "sh -c 'sleep 300; : $marker'" }
YAML
mk_scenario b <<YAML
target: { command: "sh -c 'sleep 300; : $marker'" }
measure: { timeout: 300s }
YAML
for name in a b; do
  for signal in INT TERM; do
    interrupted "$signal" "$marker" run "$name"
    holds '.partial == true and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 0'
  done
done
[[ ! -e started ]] || fail 'the target was started'
