# A baseline file that is a link is replaced; pawl does not write through it.

mk_quick a
expect 0 baseline update --reason first
file=$(echo baselines/a/*.json)
cp "$file" ../victim
before=$(cat ../victim)
rm "$file"
ln -s ../../../victim "$file"
expect 0 baseline update
[[ $(cat ../victim) == "$before" ]] || fail 'the link was written through'
[[ ! -L $file ]] || fail 'it is a link still'
