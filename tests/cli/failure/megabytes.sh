# A target may print any amount. pawl keeps the end and stays small.

mk_scenario a <<'YAML'
target: { command: "head -c 64000000 /dev/zero | tr '\\0' x; echo; echo the end" }
measure: { runs: 2 }
gates: { page-faults: +50% }
YAML
expect 0 run
[[ $(stat -c %s pawl-out/latest/a/target.log) -lt 2000000 ]] || fail 'everything was kept'
tail -n 1 pawl-out/latest/a/target.log
head -n 1 pawl-out/latest/a/target.log | sed -E 's/[0-9]+/N/; s/xx+/.../'
