# The process that keeps the services of --keep-env is killed. The services end, and the next pawl tidies up.

server_scenario web '--daemon --forget' 50 count <<<'measure: { runs: 1 }'
expect 0 run --keep-env
running "$PWD/server.py" >/dev/null || fail 'the service was not kept'
kill -KILL "$(sed -n 's/^stop it with: kill //p' "$err")"
gone "$PWD/server.py"
mk_quick other
expect 0 run other
[[ -z $(ls "$TMPDIR") ]] || fail "left: $(ls "$TMPDIR")"

# An environment with a failed service is not kept.
server_scenario web '--crash-after 10' 50 count <<<'measure: { runs: 1 }'
expect 3 run --keep-env web
lacks "$err" 'kept running'
