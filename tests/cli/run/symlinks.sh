# Output files replace links in their place; pawl does not write through them.

mk_quick a
echo mine >victim
mkdir -p here
ln -s ../victim here/result.json
ln -s ../victim here/report.md
expect 0 run --out here
[[ $(cat victim) == mine ]] || fail 'a file of the run was written through a link'
[[ -f here/result.json && ! -L here/result.json ]] || fail 'result.json is no file of its own'
expect 0 report here -o here/again.md
ln -sf ../victim here/again.md
expect 0 report here -o here/again.md
[[ $(cat victim) == mine ]] || fail 'the report was written through a link'
