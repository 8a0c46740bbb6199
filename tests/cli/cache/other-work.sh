# A kept build is a base like others: that the head prints what it does not is said, also if a file is the reason.

mk_spin 60
sed -i 's|./spin }|"./spin; cat more 2>/dev/null; true" }|' scenarios/spin.yaml
commit_all 'print what is in a file'
expect 0 baseline update spin --no-profile
expect 0 run spin --no-profile --no-explain
lacks "$out" 'head prints'
holds '.scenarios[0].pairing.other_work == null'
echo line >more
expect 0 run spin --no-profile --no-explain
has "$out" 'spin: head prints other output from line 1'
