# Services in pairs run side by side if each side has its own port. Otherwise they restart for each window.

server_scenario web '' 40 count <<<'gates: { task-clock: +5% }'
sed -i "s|$PWD/||" scenarios/web.yaml
cp -r . "$CASE_DIR/base"
sed -i 's/+ 0.001/+ 0.003/' server.py
expect 1 run web --base "$CASE_DIR/base" --head . --no-profile --no-explain
has "$out" 'REGRESSION web CPU time'
holds '.scenarios[0].pairing.services == "restarted for each pair, side by side"'
holds '.scenarios[0].pairs | map(.base.work == 40 and .head.work == 40) | all'
has "$err" '[1/1] web: ' ' pairs'
for log in web load; do
  [[ -e pawl-out/latest/web/$log.log && -e pawl-out/latest/web/base/$log.log ]] || fail "$log.log: $(find pawl-out/latest/web)"
done
[[ $(grep -c 'starting web' "$err") -le 10 ]] || fail 'starting a server is told for every pair'

# Both sides would listen on one port, so they take turns. A difference in work is reported.
port=$(free_port)
sed -i "s/\${port}/$port/" scenarios/web.yaml
sed -i 's/int(much)/int(much) + 2/' client.py
expect 0 run web --base "$CASE_DIR/base" --head . --no-profile --runs 2 -v
holds '.scenarios[0].pairing | .services == "restarted for each window"'
holds '.scenarios[0].pairs | length == 2'
has "$out" 'the sides do different work: 40 a window in the base, 42 in the head'

# The server of one side does not start.
echo 'exit("no such module")' >server.py
expect 3 run web --base "$CASE_DIR/base" --head . --no-profile
has "$out" 'head: service web' 'no such module'
