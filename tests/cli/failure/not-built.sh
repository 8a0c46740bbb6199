# A program that is not there, as in a new clone, is answered with the command that builds the project.
. "$LIB"

echo 'build: make all' >pawl.yaml
mk_scenario a <<'YAML'
target: { command: [./not-built, x] }
YAML
mk_scenario b <<'YAML'
target: { command: ./not-built <x }
YAML
mk_scenario c <<'YAML'
target: { command: "false" }
YAML
touch x
expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"' >failures
hint='; its program is not there: build it first (make all)'
[[ $(grep -cF "$hint" failures) -eq 2 ]] || fail "failures were $(cat failures)"
! grep '^c: ' failures | grep -qF "$hint" || fail 'a program that fails is there'
rm pawl.yaml
expect 3 run a
lacks "$out" 'build it first'
