# Profiles of a kept environment and of a process attached to by hand.

server_scenario web '' 2s rate <<'YAML'
measure: { window: 500ms, runs: 1 }
profile: { frequency: 997, samples: 60, duration: 900ms }
YAML
expect 0 run --keep-env web
profiled web
keeper=$(sed -n 's/^stop it with: kill //p' "$err")
trap 'kill $keeper 2>/dev/null || true' EXIT
pid=$(running "$PWD/server.py" | head -n 1)
rm -rf pawl-out
expect 0 run --attach "$pid" web
profiled web
heavy '^python' 95
kill -0 "$pid" || fail 'the server was ended'
kill "$keeper"
ended() { [[ ! -e /proc/$keeper ]]; }
eventually ended
gone "$PWD/server.py"
