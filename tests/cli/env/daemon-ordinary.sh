# Without a cgroup, a daemon that drops its environment before it serves still belongs to its service.

be_ordinary
for how in '--daemon --forget' '--daemon --forget --late 0.5' '--daemon --stubborn --forget'; do
  server_scenario web "$how" 100 count <<<'measure: { runs: 2 }'
  expect 0 run
  holds '[.scenarios[0].runs[] | ."task-clock" > 50] | all'
  gone "$PWD/server.py"
done
