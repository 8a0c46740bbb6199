# A folder with a result can stand for the result.

mk_quick a
expect 0 run --out base
expect 0 run --out head
expect 0 compare base head
lacks "$out" 'NOTHING WAS COMPARED'
has "$out" 'pass  a  page-faults'
expect 0 compare base/ head/result.json
has "$out" 'pass  a  page-faults'
