# The process that keeps an environment is killed, and its keeper ends the services.
# If the keeper was stopped too, the next start ends them. An environment with a failed service is not kept.

server_scenario web '--daemon --forget --stubborn' 20 count <<<'measure: { runs: 1 }'
mk_quick quick
keep() {
  expect 0 run --keep-env -q web
  kept=$(sed -n 's/stop it with: kill //p' "$err")
  scratch=$(ls "$TMPDIR")
  keeper=$(sed -E 's/pawl-([0-9]+)-.*/\1/' <<<"$scratch")
}
keep
kill -KILL "$kept"
gone "$PWD/server.py"
eventually tidy

keep
kill -STOP "$keeper"
kill -KILL "$kept" # another case's pawl may wake the keeper first
expect 0 run quick
gone "$PWD/server.py"
eventually tidy

keep
kill -KILL "$keeper"
gone "$PWD/server.py"
eventually tidy

keep
kill -STOP "$kept"
kill -KILL "$keeper" "$kept"
expect 0 run quick
gone "$PWD/server.py"
tidy || fail "left: $(ls "$TMPDIR")"

server_scenario web '--crash-after 10' 50 count <<<'measure: { runs: 1 }'
expect 3 run --keep-env web
lacks "$err" 'kept running'
