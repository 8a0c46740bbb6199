# A baseline of another architecture is not compared.

mk_quick a
expect 0 baseline update --reason first
file=$(echo baselines/a/*.json)
jq '.machine.arch = "vax" | .class |= sub("^[^-]*"; "vax")' "$file" >tmp.json
mv tmp.json "baselines/a/vax-${file#*-}"
rm "$file"
expect 0 run
first_line_has "$out" 'measured for the first time'
result '.scenarios[0].gates[0].verdict'
