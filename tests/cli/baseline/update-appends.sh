# The same program under the same scenario adds a session without a reason, up to ten sessions. Assignments before the
# program in a shell command do not hide it. A baseline file that is a link is replaced; pawl does not write through it.

need gzip
mk_quick a
mk_scenario set <<'YAML'
target: { command: "A=1 B=$PATH:/usr/sbin; exec gzip -V" }
measure: { runs: 3 }
gates: { page-faults: +50% }
YAML
expect 0 baseline update --reason 'the first'
file=$(echo baselines/a/*.json)
mv "$file" ../victim
before=$(cat ../victim)
ln -s ../../../victim "$file"
expect 0 baseline update
has "$err" 'added to a' 'added to set'
[[ $(cat ../victim) == "$before" ]] || fail 'the link was written through'
[[ ! -L $file ]] || fail 'it is a link still'
jq -e '.sessions | length == 2 and (.[0].executable | startswith("build-id:"))' baselines/set/*.json >"$CASE_DIR/kept/jq" ||
  fail "$(jq -c '.sessions[].executable' baselines/set/*.json)"
expect 0 baseline update a
has "$err" 'added to a'
jq -c '[(.sessions | length), .sessions[0].reason]' "$file"
for _ in 4 5 6 7 8 9 10 11 12; do expect 0 baseline update -q a; done
jq '.sessions | length' "$file"
