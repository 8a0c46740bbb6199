# An interrupt in a later window keeps the earlier windows. Cleanup runs after the services end.

server_scenario web '' 60s rate <<'YAML'
cleanup: pgrep -f "$PWD/[s]erver.py" >still-running; touch cleaned
measure: { window: 1s, runs: 5 }
YAML
sed -i "/^  work:/d; s%^  command: .*client.py.*%  command: echo >>loads; exec python3 $PWD/client.py \${port} 60s%" scenarios/web.yaml
env --default-signal=INT "$PAWL" run >"$out" 2>"$err" & pawl=$!
three_loads() { [[ $(wc -l <loads) -ge 3 ]]; }
eventually three_loads
kill -INT $pawl
awaited 130 $pawl
holds '.partial and .scenarios[0].state == "partial" and (.scenarios[0].runs | length) == 2'
[[ -e cleaned && ! -s still-running ]] || fail 'cleanup was not run, or before the end of the service'
gone "$PWD/client.py"
gone "$PWD/server.py"
