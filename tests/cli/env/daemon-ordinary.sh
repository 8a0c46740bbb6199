# Where no cgroup can be made, a daemon that forgets its environment before it serves is its service's all the same.
. "$LIB"

be_ordinary
for how in '--daemon --forget' '--daemon --forget --late 0.5' '--daemon --stubborn --forget'; do
  server_scenario web "$how" 100 count <<'YAML'
measure: { runs: 2 }
YAML
  expect 0 run
  holds '[.scenarios[0].runs[] | ."task-clock" > 50] | all'
  gone "$PWD/server.py"
done
