# A service is profiled in three windows with its load running, its workers and what they fork too.
. "$LIB"

server_scenario web '--workers=2' 60s rate <<'YAML'
measure: { window: 1s, runs: 2 }
profile: { frequency: 997, samples: 300, duration: 1500ms }
YAML
sed -i 's/"60s"/"2s"/' scenarios/web.yaml
expect 0 run
profiled web
has "$err" 'profiled windows'
[[ $(recordings) -ge 3 ]] || fail "$(recordings) recordings"
heavy '^python' 95
# Neither the client nor perf is in it: the server burns more than it talks.
light 'socket_connect|sys_connect' 5
