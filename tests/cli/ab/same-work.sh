# Both sides must do the same work: other output, or another file, is a warning. With output: same it is a failed gate.

# mk_side FOLDER LINE OUT: prints its time and place, then LINE as line 4, and writes OUT.
mk_side() {
  mkdir -p "$1/scenarios"
  cat >"$1/prog" <<SH
#!/bin/sh
date +%s%N
pwd
echo one
echo "$2"
echo $3 >out.txt
pwd >place.txt
date +%s%N >time.txt
SH
  chmod +x "$1/prog"
}
mk_scenario a 'target: { command: [./prog] }' 'gates: { task-clock: +500% }'
compare() { expect "$1" run a --base base --head head --no-profile --no-explain --runs 2; }
mk_side base two x
mk_side head two x
cp scenarios/a.yaml base/scenarios/
cp scenarios/a.yaml head/scenarios/
compare 0
lacks "$out" 'head prints'
holds '.scenarios[0].pairing.other_work == null'

mk_side head three x
compare 0
has "$out" 'a: head prints other output from line 4'
holds '.scenarios[0].pairing.other_work == "head prints other output from line 4"'
for format in markdown html junit; do
  expect 0 report --format $format pawl-out/latest/result.json
  has "$out" 'head prints other output from line 4'
done

if command -v strace >/dev/null; then
  mk_side head two y
  compare 0
  holds '.scenarios[0].pairing.other_work == "head writes other content to out.txt"'
fi

mk_side head three x
for side in base head; do sed -i 's/\[.\/prog\]/[.\/prog], output: same/' $side/scenarios/a.yaml; done
compare 1
first_line_has "$out" 'REGRESSION a target.output: head prints other output from line 4'
holds '.scenarios[0].gates | map(select(.metric == "target.output")) | .[0].verdict == "regression"'
mk_side head two x
echo '# other' >>head/prog
compare 0
holds '.scenarios[0].gates | map(select(.metric == "target.output")) | .[0].verdict == "pass"'
