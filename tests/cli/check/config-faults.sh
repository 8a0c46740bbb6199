# With a fault in pawl.yaml, check still reports the faults of scenarios and baselines.

mkdir -p bench accepted/one
printf 'scenarios: bench\nbaselines: accepted\nmeasure: { runs: many }\nbuilt: make\n' >pawl.yaml
printf 'version: 1\ntarget: { command: "true" }\nmeasure: { window: soon }\n' >bench/one.yaml
echo '{' >accepted/one/here.json
expect 2 check
has "$err" 'pawl.yaml:3:18: ' "pawl.yaml:4:1: unknown key 'built'" 'bench/one.yaml:3:' 'accepted/one/here.json:2:1:' '4 faults'
lacks "$err" 'nothing was measured'
# A command that measures stops at pawl.yaml.
expect 2 run
has "$err" '2 faults in pawl.yaml; nothing was measured'
lacks "$err" 'bench/one.yaml'
nothing_measured
