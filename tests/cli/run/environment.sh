# The command gets no job variable that the scenario does not name, so its counts do not depend on them.

need valgrind
mk_scenario a <<'YAML'
target: { command: [sh, -c, ":"] }
warmup: { runs: 0 }
measure: { runs: 1, counters: sim }
gates: { sim-instructions: +0.5% }
YAML
mk_scenario b <<'YAML'
target: { command: [seq, "200"] }
warmup: { runs: 0 }
measure: { runs: 1, counters: sim }
gates: { sim-instructions: +0.5% }
YAML
# with N ARG...: runs ARG... with N extra variables of about 40 bytes.
with() {
  local n=$1 more=()
  shift
  for ((i = 0; i < n; i++)); do more+=("MORE_OF_THE_JOB_$i=a value of some forty bytes"); done
  env "${more[@]}" "$@"
}
for n in 0 5 15 600; do
  with $n "$PAWL" run --no-profile --json -q >"$out" 2>"$err" || fail "$n more variables: $(cat "$err")"
  jq -c '[.scenarios[].runs[]."sim-instructions"]' "$out" >>counts
done
# A shell formats its parent's process number, with twenty instructions per digit. seq does not.
jq -se 'transpose | (.[0] | max - min <= 40) and (.[1] | max == min)' counts >/dev/null ||
  fail "instructions with 0, 5, 15 and 600 more: $(tr '\n' ' ' <counts)"

# Named and usual variables reach the command. The result lists their names without values.
mk_scenario a <<'YAML'
target:
  command: [sh, -c, "env >got"]
  environment: { GIVEN: "1" }
  pass-env: [DATA_SET, NOT_SET]
warmup: { runs: 0 }
measure: { runs: 1 }
YAML
export DATA_SET='a secret' OTHER=x LC_TIME=C
expect 0 run a -v --no-profile
for line in 'DATA_SET=a secret' GIVEN=1 LC_TIME=C "PATH=$PATH" "HOME=$HOME" "PWD=$PWD"; do
  has got "$line"
done
lacks got OTHER=
lacks got NOT_SET
holds '.scenarios[0].variables | index("DATA_SET") and index("PATH") and index("LC_TIME") and (index("OTHER") | not)'
holds '.scenarios[0].settings.environment == ["GIVEN=1", "DATA_SET", "NOT_SET"]'
has "$out" 'passed on: DATA_SET, HOME'
! grep -r 'a secret' pawl-out >/dev/null || fail 'a value is in the results'
