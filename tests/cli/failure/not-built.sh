# A program that is not there, as in a new clone, is answered with the command that builds the project.

echo 'build: make all' >pawl.yaml
mk_scenario a 'target: { command: [./not-built, x] }'
mk_scenario b 'target: { command: ./not-built <x }'
mk_scenario c 'target: { command: "false" }'
touch x
expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"' >failures
hint='; its program is not there: build it first (make all)'
[[ $(grep -cF "$hint" failures) -eq 2 ]] || fail "failures were $(cat failures)"
! grep '^c: ' failures | grep -qF "$hint" || fail 'a program that fails is there'
rm pawl.yaml
expect 3 run a
lacks "$out" 'build it first'
