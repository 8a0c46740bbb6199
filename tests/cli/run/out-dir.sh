# --out DIR is the run's own folder, without `latest`, pruning or files elsewhere. Otherwise twenty runs are kept, and
# `latest` points at the newest. pawl prunes only folders that it named, and neither follows nor replaces what else is in
# the way.

mk_quick a 'echo something'
expect 0 run --out some/where
for file in result.json report.md a/target.log; do
  [[ -s some/where/$file ]] || fail "there is no $file"
done
[[ ! -e some/where/latest && ! -e some/latest ]] || fail 'there is a link to the latest'
[[ ! -e pawl-out ]] || fail 'pawl-out was made all the same'
expect 0 run --out some/where
expect 0 report some/where
expect 0 report some/where/result.json

# Output files replace links in their place; pawl does not write through them.
echo mine >victim
for file in result.json report.md; do ln -sf ../../victim some/where/$file; done
expect 0 run --out some/where
[[ -f some/where/result.json && ! -L some/where/result.json ]] || fail 'result.json is no file of its own'
expect 0 report some/where -o some/where/again.md
ln -sf ../../victim some/where/again.md
expect 0 report some/where -o some/where/again.md
[[ $(cat victim) == mine ]] || fail 'something was written through a link'

mkdir -p pawl-out/mine pawl-out/2020-notes folder
for i in $(seq -w 1 25); do
  mkdir "pawl-out/202001${i}T000000Z-none"
  echo x >"pawl-out/202001${i}T000000Z-none/result.json"
done
echo mine >folder/report.md
ln -s ../folder pawl-out/latest
expect 0 run
first=$(readlink pawl-out/latest)
[[ $first == 20*Z-none ]] || fail "latest points at $first"
[[ $(ls folder) == report.md && $(cat folder/report.md) == mine ]] || fail 'something was written through the old link'
[[ $(find pawl-out -maxdepth 1 -name '20*Z-*' | wc -l) -eq 20 ]] || fail "kept: $(ls pawl-out)"
[[ -d pawl-out/20200125T000000Z-none && ! -e pawl-out/20200101T000000Z-none ]] || fail "the oldest were kept: $(ls pawl-out)"
[[ -d pawl-out/mine && -d pawl-out/2020-notes ]] || fail 'a folder of somebody else was pruned'
expect 0 run
[[ $(readlink pawl-out/latest) != "$first" ]] || fail 'latest was left at the first run'
rm pawl-out/latest
mkdir pawl-out/latest
echo mine >pawl-out/latest/kept
expect 0 run
[[ $(cat pawl-out/latest/kept) == mine ]] || fail 'a folder called latest was replaced'
