# A target that stops pawl does not hang the job. The keeper, however busy, wakes pawl.

cat >stop <<'SCRIPT'
#!/bin/bash
# The keeper's parent is pawl.
read -r _ _ _ pawl _ <"/proc/$PPID/stat"
# Whoever has no parent any more is the keeper's to wait for.
[[ $1 ]] && for ((i = 0; i < 1000; i++)); do (sleep 0.1 &); sleep 0.1; done &
kill -STOP "$pawl"
echo "$pawl" >>stopped
exec sleep 0.1
SCRIPT
chmod +x stop
for name in a orphans; do
  mk_scenario $name <<YAML
target: { command: [./stop, "${name#a}"] }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { page-faults: { max: 1000000 } }
YAML
done

# stopped STATUS NAME: runs scenario NAME in a new session and expects STATUS.
stopped() { ends "$1" setsid -w timeout -k 1 60 "$PAWL" run --no-profile "$2"; }

stopped 0 a
[[ $(wc -l <stopped) -eq 2 ]] || fail 'pawl was not stopped'
stopped 3 orphans
has "$out" 'left'
