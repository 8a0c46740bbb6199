# Interrupted during a setup that ignores SIGTERM.

marker=setup-$$-long
cat >setup.sh <<'SH'
trap '' TERM INT HUP
sh -c 'sleep 300; : '"$1"
SH
mk_scenario a <<YAML
setup: sh setup.sh $marker
target: { command: touch started }
cleanup: touch cleaned
YAML
for signal in INT TERM; do
  interrupted "$signal" "$marker" run
  holds '.partial == true and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 0'
  [[ -e cleaned && ! -e started ]] || fail "left: $(ls)"
  rm cleaned
done
