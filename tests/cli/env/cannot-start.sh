# Services and loads that cannot start, and the processes that a load leaves behind.

change() {
  server_scenario web '' 20 count <<<'measure: { runs: 1 }'
  sed -i "$1" scenarios/web.yaml
}
change 's%^    ready:%    cwd: no/such/folder\n&%'
expect 3 run
has "$out" 'service web: ' 'no/such/folder'
change 's%^    ready:%    user: no-such-user\n&%'
expect 3 run
has "$out" "service web: there is no user 'no-such-user'"
change 's%^  command: .*client.py.*%  command: [no-such-load, "1"]%'
expect 3 run
has "$out" 'in window 1: the load no-such-load: cannot be started'
gone "$PWD/server.py"
change "s%^  command: .*client.py.*%  command: setsid sleep 3681 \& python3 $PWD/client.py \${port} 20%"
expect 0 run
gone 'sleep 3681'
