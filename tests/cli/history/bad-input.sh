# Damaged, foreign or oversized files, links and files that are not results are named, counted and left out.
# Their content never becomes markup.
export LC_ALL=C

mk_commits 16
# shellcheck disable=SC2046
mk_archive archive $(wobbly 10 16)
echo '{"schema": 1, "mode": "stored", "scenarios": [' >'archive/<b>.json'
head -c 34000000 /dev/zero >archive/zeros.json
jq '.schema = 99' archive/0.json >archive/newer.json
echo '{"name": "a flame graph"}' >archive/flame.json
ln -s "$PWD/archive/0.json" archive/link.json
ln -s .. archive/up
jq '.mode = "paired"' archive/0.json >archive/pairs.json
jq '.scenarios[0].state = "failed" | .scenarios[0].failure = "no" | .date = "2026-10-01T14:00:00Z"' archive/1.json >archive/failed.json
expect 0 history --from archive
cat "$out"
expect 0 history --from archive --format html -o page.html
lacks page.html '<b>' '<script' 'http://' 'https://'
has page.html '&lt;b&gt;.json'

# The same measurement in two files counts once.
jq '.scenarios[0].measurement = "0123456789abcdef0123456789abcdef"' archive/0.json >archive/copy-1.json
cp archive/copy-1.json archive/copy-2.json
expect 0 history --from archive
has "$out" '1 copy of the same measurement counted once'

# An empty history is misuse, and the error says what to do.
for args in '' '--from nowhere' '--from archive/0.json' '--from empty' '--branch nowhere' '--from archive --branch x' '--from archive pars' \
  '--from broken' '--from pairs' '--from archive --format svg' '--from archive --format json' '--from archive --json'; do
  mkdir -p empty broken pairs
  cp archive/newer.json broken/result.json
  cp archive/pairs.json pairs/
  # shellcheck disable=SC2086
  expect 2 history $args
  sed "s|$PWD|PROJECT|" "$err"
done
nothing_measured
