# A simulator that cannot run the target costs its gates: they are not measured, and the scenario does not fail.
# `baseline update` accepts the rest and prints no failure.

need cc
mk_burner
mkdir tools
cat >tools/valgrind <<'SH'
#!/bin/sh
[ "$1" = --version ] && { echo valgrind-3.22.0; exit; }
echo 'vex amd64->IR: unhandled instruction bytes' >&2
exit 132
SH
chmod +x tools/valgrind
export PATH=$PWD/tools:$PATH
mk_scenario a <<'YAML'
target: { command: [./burner, "20"] }
measure: { runs: 3 }
gates: { sim-instructions: +1%, page-faults: +50% }
YAML
expect 0 run a --no-profile
lacks "$out" FAILED
lacks "$err" FAILED
holds '.scenarios[0] | .state == "measured" and .failure == null and (.runs | length) == 3'
holds '[.scenarios[0].gates[] | select(.metric == "sim-instructions").verdict] == ["not-measured"]'
holds '[.scenarios[0].gates[] | select(.metric == "page-faults").verdict] == ["new"]'
holds '.scenarios[0].notes | any(startswith("nothing was simulated: under valgrind: "))'

expect 0 baseline update a --no-profile
lacks "$out" FAILED
lacks "$err" FAILED
has "$err" 'accepted a: 3 runs'
# Compared with that baseline, the gate that was measured is judged.
expect 0 run a --no-profile --no-confirm
holds '[.scenarios[0].gates[] | select(.metric == "page-faults").verdict] == ["pass"]'
holds '[.scenarios[0].gates[] | select(.metric == "sim-instructions").verdict] == ["not-measured"]'
