# A scenario that the base lacks is new. One without runs is not compared.

mk_quick a
expect 0 run
jq '.scenarios = []' pawl-out/latest/result.json >base.json
cp pawl-out/latest/result.json head.json
expect 0 compare base.json head.json
first_line_has "$out" 'NOTHING WAS COMPARED'
expect 4 compare base.json head.json --strict
jq '.scenarios[0].gates[0] |= (.required = true)' head.json >required.json
expect 0 compare head.json head.json
