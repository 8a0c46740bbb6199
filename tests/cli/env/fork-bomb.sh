# A service that keeps forking is ended with all its processes. This one stops at a few hundred.

cat >spread-bomb.sh <<'SH'
n=$1
[ "$n" -gt 0 ] || exec sleep 3675
sh spread-bomb.sh $((n - 1)) & sh spread-bomb.sh $((n - 1)) &
[ "$n" -ne 8 ] || echo up
wait
SH
mk_scenario bomb <<'YAML'
env:
  - { name: bomb, command: [sh, spread-bomb.sh, "8"], ready: { log: up, timeout: 20s }, stop: { grace: 300ms } }
target: { service: bomb }
warmup: { runs: 0 }
measure: { window: 200ms, runs: 1 }
YAML
SECONDS=0
"$PAWL" run >"$out" 2>"$err" || [[ $? -eq 3 ]] || fail 'neither measured nor failed'
[[ $SECONDS -lt 30 ]] || fail "took $SECONDS s"
gone spread-bomb.sh
gone 'sleep 3675'
