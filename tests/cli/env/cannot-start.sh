# Services and loads that cannot start, and the processes that a load leaves behind.

# change NAME SED: scenario NAME, changed.
change() {
  server_scenario "$1" '' 20 count <<<'measure: { runs: 1 }'
  sed -i "$2" "scenarios/$1.yaml"
}
change folder 's%^    ready:%    cwd: no/such/folder\n&%'
change leaves "s%^  command: .*client.py.*%  command: setsid sleep 3681 \& python3 $PWD/client.py \${port} 20%"
change load 's%^  command: .*client.py.*%  command: [no-such-load, "1"]%'
change user 's%^    ready:%    user: no-such-user\n&%'
expect 3 run
holds '.scenarios | map(.status) == [3, 0, 3, 3]'
failure folder 'service web: ' 'no/such/folder'
failure user "service web: there is no user 'no-such-user'"
failure load 'in window 1: the load no-such-load: cannot be started'
gone "$PWD/server.py"
gone 'sleep 3681'
