# What cannot be counted is not measured, with the reason: no strace, no right to trace points, a target that runs already.

need strace
mk_scenario a <<'YAML'
target: { command: [sh, -c, "true; true"] }
measure: { runs: 2 }
gates: { system-calls: { max: 100000, required: true }, processes: { max: 1, required: true }, read-calls: { max: 1000, required: true } }
YAML
expect 0 run a
first=$(result '.scenarios[0].runs[0]["system-calls"]')
[[ $first -gt 10 ]] || fail "system calls: $first"
mkdir bin
ln -s /usr/bin/* bin/ 2>/dev/null || fail "as nobody: $(tail -n 5 "$out")"
rm bin/strace
PATH=$PWD/bin expect 3 run a
holds '.scenarios[0].gates | any(.metric == "processes" and .verdict == "not-measured" and (.reason | test("strace")))'
holds '.scenarios[0].gates | any(.metric == "read-calls" and .verdict == "pass")'

# The command is a script of the shell, which has no sizes of the project's.
printf '#!/bin/sh\ntrue\n' >script
chmod +x script
mk_scenario script 'target: { command: ./script }' 'measure: { runs: 2 }' 'gates: { text-size: { max: 1000 } }'
expect 0 run script
holds '.scenarios[0].gates[0] | .verdict == "not-measured" and (.reason | test("not a compiled program"))'

mk_scenario misspelt <<'YAML'
target: { command: "true" }
gates: { "system-calls:opennat": default, "system-calls:qqqqqqq": default }
YAML
expect 2 check misspelt
cat "$out" "$err" >both
has both "unknown system call 'opennat'; did you mean 'system-calls:openat'?" "unknown system call 'qqqqqqq'; \`man 2 syscalls\` lists them"
rm scenarios/misspelt.yaml

# An ordinary user, who may not read the trace points, counts by strace, and the same.
[[ $(id -u) == 0 ]] && command -v setpriv >/dev/null || exit 0
rm -rf pawl-out
be_ordinary
expect 0 run a --json -q
holds '.scenarios[0].gates | all(.verdict == "pass")' "$out"
holds ".scenarios[0].runs[0][\"system-calls\"] - $first | fabs <= 10" "$out"
holds '.scenarios[0].runs[0] | .["read-calls"] > 0' "$out"
