# A ready file from an earlier run does not count until the service touches it.

touch -d '1 minute ago' ready.mark
sleep 0.1
mk_scenario stale <<'YAML'
env:
  - { name: slow, command: "sleep 3677", ready: { file: ready.mark, timeout: 300ms } }
target: { command: "true" }
measure: { runs: 1 }
YAML
expect 3 run
holds '.scenarios[0].failure | contains("did not appear within 0.3 s (it is there, but from before the service started)")'
sed -i 's/"sleep 3677"/"touch ready.mark; exec sleep 3677"/' scenarios/stale.yaml
expect 0 run
