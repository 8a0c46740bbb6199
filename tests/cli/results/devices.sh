# -o writes to a device or a path below /dev/fd and does not replace it with a file.

mk_quick a
expect 0 run
expect 0 report
cp "$out" report.txt
"$PAWL" report -o /dev/fd/3 3>through.txt
cmp report.txt through.txt
need_root
mknod null c 1 3 2>/dev/null && mknod full c 1 7 && : >null || skip 'no device can be made here'
expect 0 report -o null
expect 3 report -o full
has "$err" "cannot write 'full'"
[[ -c null && -c full ]] || fail "a device was replaced: $(ls -l)"
