# SIGINT, SIGTERM and SIGHUP during a run: children are gone, the lock is free, the runs are kept and marked partial.

marker=run-$$-long
# Only the hanging run carries the marker, so that no earlier run is interrupted.
cat >target.sh <<SH
if [ -e two ]; then
  sleep 300 &
  sh -c 'sleep 300; : $marker'
elif [ -e one ]; then
  touch two
fi
touch one
SH
mk_scenario a <<YAML
target: { command: [sh, target.sh] }
warmup: { runs: 0 }
measure: { runs: 5, timeout: 300s }
cleanup: touch cleaned
YAML
mk_quick b
for signal in INT TERM HUP; do
  rm -rf one two cleaned pawl-out
  interrupted "$signal" "$marker" run
  holds '.partial == true and .status > 128'
  holds '[.scenarios[] | [.name, .state, (.runs | length)]] == [["a", "partial", 2], ["b", "skipped", 0]]'
  [[ -e cleaned ]] || fail 'cleanup did not run'
  first_line_has "$out" PARTIAL
  first_line_has pawl-out/latest/report.md PARTIAL
done
