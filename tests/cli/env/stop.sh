# A service that ignores SIGTERM is killed after its grace period. A stop command replaces the signal; one that fails, hangs
# or stops nothing is reported, and then the service is killed too.

# stops NAME SERVER_OPTION STOP: a scenario whose service stops by STOP.
stops() {
  server_scenario "$1" "$2" 50 count <<<'measure: { runs: 1 }'
  sed -i "s%stop: { grace: 1s }%stop: { $3 }%" "scenarios/$1.yaml"
}
stops fails '' 'command: "echo no such server; exit 4", grace: 500ms'
stops hangs '' 'command: "sleep 3673", grace: 500ms'
stops nothing '' 'command: "true", grace: 500ms'
stops stubborn --stubborn 'grace: 1s'
stops works '' "command: \"pkill -f '[s]erver.py \${port}'; touch stopped\", grace: 5s"
SECONDS=0
expect 0 run
[[ $SECONDS -lt 40 ]] || fail "took $SECONDS s"
gone "$PWD/server.py"
gone 'sleep 3673'
[[ -e stopped ]] || fail 'the stop command was not run'
result '.scenarios[] | .name, "  \(.notes[])"'
has "$out" 'service web did not stop within 1 s of its stop signal; it was killed'
