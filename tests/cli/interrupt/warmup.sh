# Interrupted during a setup that ignores SIGTERM, or during the warm-up: in its command, and in a warm-up run of the target.

marker=warmup-$$-long
cat >setup.sh <<'SH'
trap '' TERM INT HUP
sh -c 'sleep 300; : '"$1"
SH
mk_scenario a <<YAML
target: { command: touch started }
warmup: { command: "sh -c 'sleep 300; : $marker'" }
YAML
mk_scenario b <<YAML
target: { command: "sh -c 'sleep 300; : $marker'" }
measure: { timeout: 300s }
YAML
mk_scenario setup <<YAML
setup: sh setup.sh $marker
target: { command: touch started }
cleanup: touch cleaned
YAML
for name in a b setup; do
  for signal in INT TERM; do
    rm -f cleaned
    interrupted "$signal" "$marker" run "$name"
    holds '.partial == true and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 0'
    [[ $name != setup || -e cleaned ]] || fail "left: $(ls)"
  done
done
[[ ! -e started ]] || fail 'the target was started'
