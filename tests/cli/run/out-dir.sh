# --out DIR is the run's own folder, without `latest`, pruning or files elsewhere.

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
