# With a baseline of another machine class, counts of work are compared and times are not. The report says so first. One of
# another architecture is not compared.

mk_scenario a 'target: { command: "true" }' 'measure: { runs: 5 }' 'gates: { task-clock: +25%, page-faults: +50% }'
PAWL_MACHINE=old-box expect 0 baseline update --reason first
ls baselines/a | sed -E 's/.*(old-box).*/\1/'
PAWL_MACHINE=new-box expect 0 run
has "$out" old-box new-box
result '.scenarios[0].gates[] | "\(.metric) \(.verdict)"'
result '.machine.class' | grep -o new-box
PAWL_MACHINE=new-box expect 4 run --strict
sed -i '/gates/s/.*/gates: { task-clock: +25% }/' scenarios/a.yaml
PAWL_MACHINE=new-box expect 0 run
first_line_has "$out" 'NOTHING WAS COMPARED'
has "$out" 'another machine class'

file=$(echo baselines/a/*.json)
jq '.machine.arch = "vax" | .class |= sub("^[^-]*"; "vax")' "$file" >x
rm "$file"
mv x "baselines/a/vax-${file#*-}"
expect 0 run
first_line_has "$out" 'measured for the first time'
result '.scenarios[0].gates[0].verdict'
