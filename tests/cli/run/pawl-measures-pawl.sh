# pawl can measure pawl. The inner one does not wait for the outer one's lock.

mkdir inner
(cd inner && mk_quick b && touch pawl.yaml)
mk_scenario a <<YAML
target: { command: ["$PAWL", run, -q], cwd: inner }
warmup: { runs: 0 }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
expect 0 run --lock-wait 1s
holds '.scenarios[0] | .state == "measured" and (.runs | length) == 2'
[[ $(find inner/pawl-out -name result.json | wc -l) -eq 2 ]] || fail 'the inner pawl did not run twice'
expect 0 report inner/pawl-out/latest
