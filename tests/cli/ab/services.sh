# Each side runs its server on its own port, side by side. Its commands are those of its tree.

server_scenario get '' 40 count <<<'gates: { task-clock: default, wall-time: +1000% }'
sed -i "s|$PWD/||" scenarios/get.yaml
cp -r . "$CASE_DIR/base"
expect 0 run get --base ../base --no-profile --runs 2
holds '.scenarios[0] | (.pairs | length) == 2 and .pairing.services == "restarted for each pair, side by side"'
holds '.scenarios[0].pairs | map(.base.work == 40 and .head.work == 40) | all'
has "$err" '[1/1] get: 2 pairs'
for log in web load; do
  [[ -e pawl-out/latest/get/$log.log && -e pawl-out/latest/get/base/$log.log ]] || fail "$log.log: $(find pawl-out/latest/get)"
done
