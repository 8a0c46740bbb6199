# --keep-env leaves the services running and prints how to stop them. --attach measures one of them.

server_scenario web '' 100 count <<'YAML'
setup: touch data
cleanup: pgrep -f "$PWD/[s]erver.py" >kept || rm data
measure: { runs: 1 }
YAML
expect 0 run --keep-env
[[ -e data && ! -e kept ]] || fail 'cleanup was run while the services still needed what it takes away'
lacks "$err" 'web: cleanup'
has "$err" 'kept running: web: pid' 'stop it with: kill'
running "$PWD/server.py" >/dev/null || fail 'the service was stopped'
pid=$(sed -n 's/kept running: web: pid \([0-9]*\), port .*/\1/p' "$err")
stop=$(sed -n 's/stop it with: //p' "$err")
expect 0 run --attach "$pid" web
holds '.scenarios[0].runs[0].work == 100'
holds ".scenarios[0].attached | contains(\"$pid\")"
mk_quick other
expect 0 run other
running "$PWD/server.py" >/dev/null || fail 'another pawl ended it'
$stop
gone "$PWD/server.py"
# The keeping process is a fork of pawl and has its command line.
ended() { [[ ! -e /proc/${stop#kill } ]]; }
eventually ended
[[ ! -e data ]] || fail 'cleanup was not run in the end'
[[ -z $(ls "$TMPDIR") ]] || fail 'the scratch folder was left'

expect 2 run --keep-env
has "$err" '--keep-env takes one scenario, not 2'
expect 2 run --keep-env other
has "$err" '--keep-env: scenario other has no services'
expect 2 run --attach x web
has "$err" '--attach: expected a whole number, found'
expect 2 run --attach 1 other
has "$err" '--attach: the target of other is a command'
expect 3 run --attach 4194300 web
