# A service is profiled in three windows under load, with its workers and their children.

server_scenario web '--workers=2' 60s rate <<'YAML'
measure: { window: 1s, runs: 2 }
profile: { frequency: 997, samples: 300, duration: 1500ms }
YAML
sed -i 's/"60s"/"2s"/' scenarios/web.yaml
expect 0 run
profiled web
[[ $(recordings) -ge 3 ]] || fail "$(recordings) recordings"
heavy '^python' 95
# The profile has neither the client nor perf. The server computes more than it communicates.
light 'socket_connect|sys_connect' 5
