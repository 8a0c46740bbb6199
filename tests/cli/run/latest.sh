# `latest` points at the newest run. pawl does not follow whatever is in its place.

mk_quick a
mkdir -p pawl-out victim
echo mine >victim/report.md
ln -s ../victim pawl-out/latest
expect 0 run
first=$(readlink pawl-out/latest)
[[ $first == 20*Z-none ]] || fail "latest points at $first"
expect 0 run
[[ $(readlink pawl-out/latest) != "$first" ]] || fail 'latest was left at the first run'
[[ $(ls victim) == report.md && $(cat victim/report.md) == mine ]] || fail 'something was written through the old link'
rm pawl-out/latest
mkdir pawl-out/latest
echo mine >pawl-out/latest/kept
expect 0 run
[[ $(cat pawl-out/latest/kept) == mine ]] || fail 'a folder called latest was replaced'
