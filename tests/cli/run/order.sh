# setup runs once, prepare before every run and warm-up, cleanup once at the end. The warm-up does not count.

mk_scenario a <<'YAML'
setup: echo setup >>order
prepare: echo prepare >>order
cleanup: echo cleanup >>order
target: { command: echo target >>order }
warmup: { runs: 1, command: echo warmup >>order }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
expect 0 run
cat order
holds '.scenarios[0].runs | length == 2'
