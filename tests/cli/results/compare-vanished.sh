# A scenario that HEAD lacks is reported, and is status 4 with --strict.

mk_quick a
mk_quick b
expect 0 baseline update -q
expect 0 run -q --out base
expect 0 run -q --out head a
expect 0 compare base head
has "$out" 'only BASE has these scenarios, so they were not compared: b'
expect 4 compare --strict base head
