# A service that forks twice, calls setsid and drops its environment, at once or before it serves, is measured and ended
# too, with a cgroup or without.

belongs() {
  server_scenario web "$1" 100 count <<<'measure: { runs: 2 }'
  expect 0 run
  holds '[.scenarios[0].runs[] | ."task-clock" > 50] | all'
  gone "$PWD/server.py"
}
for how in --daemon '--daemon --forget' '--daemon --stubborn --forget'; do belongs "$how"; done
be_ordinary
for how in '--daemon --forget' '--daemon --forget --late 0.5' '--daemon --stubborn --forget'; do belongs "$how"; done
