# The result of a CI job is accepted with a reason, from its downloaded folder or from the file in it.

mk_quick a
expect 0 run
mkdir -p artifacts/pawl-result-ubuntu
jq '.busy = [] | .machine.part = "amd-epyc-7763-4cpu"' pawl-out/latest/result.json >artifacts/pawl-result-ubuntu/result.json
expect 2 baseline update --from artifacts --reason 'runner of CI'
cat "$err"
expect 0 baseline update --from artifacts/pawl-result-ubuntu --reason 'runner of CI'
has "$err" 'accepted a' 'amd-epyc-7763-4cpu'
jq -r '.sessions[] | .reason' baselines/a/*amd-epyc-7763*.json
printf 'PK\003\004rest' >artifacts/pawl.zip
expect 2 baseline update --from artifacts/pawl.zip --reason x
cat "$err"

# Runs of pairs affect each other, so they are not a baseline.
jq '.mode = "paired"' artifacts/pawl-result-ubuntu/result.json >pairs.json
expect 2 baseline update --from pairs.json --reason x
cat "$err"
expect 2 baseline update --from artifacts/pawl-result-ubuntu --reason ' ... '
cat "$err"
