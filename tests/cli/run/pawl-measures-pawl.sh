# pawl can be the target of pawl: the inner one does not wait for the lock of the outer one.
. "$LIB"

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
