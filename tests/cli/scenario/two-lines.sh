# Two lines are a scenario: a command for the shell or as a list, and a gate.

mkdir scenarios
printf 'target: seq 20000 | sort -n | tail -n 1 >../text\ngates: { cpu-time: 400%% }\n' >scenarios/text.yaml
printf 'target: [touch, "../a list"]\ngates: { cpu-time: 400%% }\n' >scenarios/list.yaml
expect 0 run --runs 3 --no-profile
[[ $(cat ../text) == 20000 && -e '../a list' ]] || fail 'a command did not run'
holds '[.scenarios[].gates[].metric] == ["cpu-time", "cpu-time"]'
