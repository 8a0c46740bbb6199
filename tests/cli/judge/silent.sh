# A change that removes a gate's input does not pass it. The report begins with the gate that was not measured.

mk_judged
printf '#!/bin/sh\necho took 3 ms\n' >prog
cat >scenarios/a.yaml <<'YAML'
version: 1
target: { command: [./prog] }
measure: { runs: 3 }
metrics: [{ name: took, regex: 'took ([0-9.]+) ms', unit: ms, better: lower }]
gates: { took: +50%, page-faults: off }
YAML
expect 0 baseline update --reason 'it tells'
commit_all 'a figure'
git update-ref refs/remotes/origin/main HEAD
printf '#!/bin/sh\nsleep 0.1\n' >prog
pull 0 run
first_line_has "$out" 'NOTHING WAS COMPARED'
holds '.scenarios[0].gates[0].verdict == "not-measured"'
pull 4 run --strict
git reset -q --hard
sed -i 's/took: +50%/took: { max-increase: 50%, required: true }/' scenarios/a.yaml
commit_all 'a figure that is required'
git update-ref refs/remotes/origin/main HEAD
printf '#!/bin/sh\nsleep 0.1\n' >prog
pull 3 run
