#!/bin/bash
# Flame graphs in a real browser: zoom, search, address, keys, views, colours, and without scripts. Also the pages of
# reports: with assistive technology, keys, phones, dark screens and on paper.
set -u

here=$(cd "$(dirname "$0")" && pwd)
pawl=${PAWL:-$here/../../build/pawl}

skip() {
  echo "$*"
  exit 77
}

find_browser() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    command -v "$name" 2>/dev/null && return
  done
  return 1
}

browser=$(find_browser) || skip 'no chromium is installed (tools/setup.sh test)'
command -v node >/dev/null || skip 'node is not installed (tools/setup.sh test)'
[[ -d $here/node_modules/playwright-core ]] || skip 'playwright-core is not installed (tools/setup.sh test)'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The browser writes files in its home.
export HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_CACHE_HOME=$work/home
mkdir -p "$work/home" "$work/svg"

draw() { "$pawl" flamegraph -q -o "$work/svg/$1.svg" "${@:2}" || exit 1; }

printf '%s\n' 'main;work;inner 600' 'main;work;it 50' 'main;work 150' 'main;other 150' \
  'main;</title><script>window.hacked=1</script> 50' >"$work/plain"
printf 'main;a 5000\nmain;b 4000\nmain;gone 1000\n' >"$work/base"
printf 'main;a 6000\nmain;b 3010\nmain;new 990\n' >"$work/head"
# Frames of every shade: different names, kernel and languages.
for i in {0..40}; do
  printf 'sh%d;f%d 10\nsh%d;k%d_[k] 10\nsh%d;a::b%d 10\nsh%d;x%d_[j] 10\nsh%d;y%d_[i] 10\n' "$i" "$i" "$i" "$i" "$i" "$i" "$i" "$i" "$i" "$i"
done >"$work/many"
{ printf 'deep'; printf ';f%d' {1..150}; echo ' 1'; printf 'wide;%0400d;%090d 899\nwide;%0400d 100\n' 1 1 2; } >"$work/tall"
{ printf 'drawn 1200000\nother 2000000\n'; seq -f 'crowd;c%.0f 680' 10000; } >"$work/pruned"
sed 's/ 10$/;[sleep] 10/' "$work/many" >"$work/waits"
long='a program with a long name in /srv/projects/some/folder/of/somebody/pawl-out/20261121T105756Z-5746a68c9297/scenario/perf.data, taken on 21 November'
draw plain "$work/plain"
draw pruned --title "$long" "$work/pruned"
draw long --title "$long" "$work/plain"
draw long-diff --title "$long against $long" --head-label "$long" --base-label "$long" --diff "$work/base" "$work/head"
draw tall "$work/tall"
draw diff --diff "$work/base" --base-label main --head-label 'pr 7' "$work/head"
draw many "$work/many"
draw waits "$work/waits"
status=0
timeout 280 node "$here/flame.js" "$browser" "$work/svg" || status=1

[[ -d $here/node_modules/axe-core ]] || skip 'axe-core is not installed (tools/setup.sh test)'
mkdir "$work/pages"
# A page for each kind of result.
mkdir "$work/samples"
"${B:-$(dirname "$(readlink -f "$pawl")")}/unit/samples" "$work/samples"
for page in pass regression caused paired new failed profiled; do
  "$pawl" report "$work/samples/$page.json" --format html -o "$work/pages/$page.html"
done
# Two shards, each with its own stacks.
for shard in paired partial; do
  mkdir "$work/$shard"
  mkdir "$work/$shard/$shard"
  sed "0,/\"gzip-6\"/s//\"$shard\"/" "$work/samples/$shard.json" >"$work/$shard/result.json"
done
cp "$work/many" "$work/paired/paired/stacks.folded"
cp "$work/tall" "$work/partial/partial/stacks.folded"
"$pawl" report "$work/paired" "$work/partial" --format html -o "$work/pages/merged.html"
# A page of history, with links.
mkdir "$work/archive"
for i in {10..34}; do
  jq --arg i "$i" '.date = "2026-10-\($i)T10:00:00Z" | .commit = "feedfeed00\($i)" | .mode = "stored" |
    .scenarios[].runs[]["task-clock"] += (if ($i | tonumber) > 20 then 40 else 0 end)' "$work/samples/pass.json" >"$work/archive/$i.json"
done
GITHUB_SERVER_URL=https://github.com GITHUB_REPOSITORY=o/r "$pawl" history --from "$work/archive" --format html -o "$work/pages/history.html"
timeout 300 node "$here/pages.js" "$browser" "$work/pages" || status=1
exit $status
