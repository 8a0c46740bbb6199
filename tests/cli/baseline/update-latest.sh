# `baseline update` takes over the run just made if another one would certainly measure the same; otherwise it measures.

bin=$CASE_DIR/kept/bin
mkdir "$bin"
printf '#!/bin/sh\ntrue\n' >"$bin/outside"
chmod +x "$bin/outside"
PATH=$bin:$PATH
mk_quick a
mk_quick b
mk_quick c outside
mk_repo
echo data >input
# taken ARGUMENTS..., measured ARGUMENTS...: whether `baseline update` accepts a run that exists.
taken() {
  local before
  before=$(readlink pawl-out/latest)
  expect 0 baseline update "$@"
  has "$err" 'accepting the run of ' " ago: pawl-out/$before"
  [[ $(readlink pawl-out/latest) == "$before" ]] || fail 'it was measured all the same'
}
measured() {
  local before
  before=$(readlink pawl-out/latest)
  expect 0 baseline update "$@"
  lacks "$err" 'accepting the run of'
  [[ $(readlink pawl-out/latest) != "$before" ]] || fail 'it was not measured'
}

expect 0 run
# Also if the first one makes the folder of baselines.
taken a
taken b
rm -r baselines
expect 0 run
taken
[[ $(jq -s 'map(.sessions[].measurement) | sort' baselines/*/*.json) == "$(jq '[.scenarios[].measurement] | sort' pawl-out/latest/result.json)" ]] ||
  fail 'another measurement was accepted'
# Runs that are a session already are not taken again.
measured a
[[ $(jq '.sessions | length' baselines/a/*.json) -eq 2 ]] || fail 'not two sessions'

# The report proposes it.
expect 0 run a
expect 0 report -v
lacks "$out" '--from'
taken a

# Options that shape the runs must be the same.
expect 0 run a --runs 2
measured a
expect 0 run a --runs 2
taken a --runs 2
expect 0 run a --no-confirm
measured a
expect 0 run a
measured a --sessions 1
expect 0 run a --out elsewhere
measured a

# A scenario that was not run with the others.
expect 0 run a
measured --reason 'b and c too'

# What changed since it began: a file, its removal, the scenario, the commit, a program outside the project.
expect 0 run a
echo more >>input
measured a
has "$err" "measuring again: $PWD/input changed since the run of "
expect 0 run a
touch -d '2020-01-01' input
measured a
rm -r elsewhere
expect 0 run a
rm input
measured a
expect 0 run a
mk_quick a 'true again'
measured a --reason 'another command'
expect 0 run a
commit_all 'another commit'
measured a
expect 0 run c
printf '#!/bin/sh\n:\n' >"$bin/outside"
measured c --reason 'another program'

# A run that failed, or a latest run without a result.
mk_quick d 'test -e works'
expect 3 run d
touch works
measured d
expect 0 run d
rm pawl-out/latest/result.json
measured d

# --json prints the result that was accepted.
expect 0 run d
expect 0 baseline update d --json
[[ $(jq -r '.scenarios[0].measurement' "$out") == $(jq -r '.sessions[-1].measurement' baselines/d/*.json) ]] || fail 'another result'
