# A service that forks twice, calls setsid and drops its environment is measured and ended too.

for how in --daemon '--daemon --forget' '--daemon --stubborn --forget'; do
  server_scenario web "$how" 100 count <<<'measure: { runs: 2 }'
  expect 0 run
  holds '[.scenarios[0].runs[] | ."task-clock" > 50] | all'
  gone "$PWD/server.py"
done
