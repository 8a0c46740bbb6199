# Relative paths start at the project's root, from whichever folder pawl runs. cwd applies to the target.

mkdir -p deep/er sub
touch pawl.yaml
mk_scenario a <<'YAML'
setup: pwd >here
target: { command: pwd >>"$$(dirname "$$PWD")/here", cwd: sub }
warmup: { runs: 0 }
measure: { runs: 1 }
gates: { page-faults: +50% }
YAML
cd deep/er
expect 0 run
cd ../..
cat here
