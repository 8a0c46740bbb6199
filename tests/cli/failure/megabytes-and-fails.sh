# A target prints megabytes and fails: status 3, and the report quotes only its last lines.

mk_scenario a <<'YAML'
target: { command: "seq 1 3000000; printf 'long '; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo the end >&2; exit 1" }
measure: { runs: 2 }
YAML
expect 3 run
has "$out" 'the end'
lacks "$out" 2999900
[[ $(stat -c %s "$out") -lt 100000 ]] || fail 'the report quotes too much'
[[ $(stat -c %s pawl-out/latest/result.json) -lt 200000 ]] || fail 'the result quotes too much'
