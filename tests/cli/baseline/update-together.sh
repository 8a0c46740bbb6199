# After several updates at once each session is stored, and the folder has no other file.

mk_quick a
expect 0 run -q
jq '.busy = []' pawl-out/latest/result.json >0.json
expect 0 baseline update --from 0.json
# Temporary files that a killed update leaves on file systems without unnamed files.
touch baselines/.pawl-1-0.tmp baselines/a/.pawl-2-0.tmp
for i in 1 2 3 4 5 6 7 8; do
  jq --arg name "$(printf '%032d' "$i")" '.scenarios[0].measurement = $name' 0.json >"$i.json"
done
for i in 1 2 3 4 5 6 7 8; do
  "$PAWL" baseline update --from "$i.json" >"$CASE_DIR/kept/$i" 2>&1 &
done
wait
for i in 1 2 3 4 5 6 7 8; do has "$CASE_DIR/kept/$i" 'added to a'; done
jq '.sessions | length, (map(.measurement) | unique | length)' baselines/a/*.json
find baselines -type f | sed -E 's#/[^/]*.json$#/CLASS.json#'

# An update waits for the process that locks the folder.
exec {holder}<baselines
flock "$holder"
expect 3 baseline update --from 0.json --lock-wait 0.2s
has "$err" 'another pawl writes to'
exec {holder}<&-
expect 0 baseline update --from 0.json
