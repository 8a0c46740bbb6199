# Twenty runs are kept. pawl prunes only folders that it named.

mk_quick a
mkdir -p pawl-out/mine pawl-out/2020-notes
for i in $(seq -w 1 25); do
  mkdir "pawl-out/202001${i}T000000Z-none"
  echo x >"pawl-out/202001${i}T000000Z-none/result.json"
done
expect 0 run
[[ $(find pawl-out -maxdepth 1 -name '20*Z-*' | wc -l) -eq 20 ]] || fail "kept: $(ls pawl-out)"
[[ -d pawl-out/20200125T000000Z-none && ! -e pawl-out/20200101T000000Z-none ]] || fail "the oldest were kept: $(ls pawl-out)"
[[ -d pawl-out/mine && -d pawl-out/2020-notes ]] || fail 'a folder of somebody else was pruned'
