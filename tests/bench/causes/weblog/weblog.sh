#!/bin/bash
# weblog.sh LOG OUT: counts the hosts, pages and hours in a web server's log.
set -euo pipefail

log=$1
out=$2

requests() { grep ' "GET ' "$log"; }

top() {
  sort | uniq -c | sort -k1,1nr -k2 | sed -n "1,$1p"
}

hosts() { requests | cut -d' ' -f1 | top 20; }

pages() { requests | cut -d' ' -f7 | cut -d'?' -f1 | top 20; }

hours() {
  requests | cut -d: -f2 | sort | uniq -c |
    while read -r count hour; do
      printf '%s %6d\n' "$hour" "$count"
    done
}

sizes() {
  requests | cut -d' ' -f9,10 | sort | awk '$1 != code { if (code) print code, sum; code = $1; sum = 0 } { sum += $2 } END { print code, sum }'
}

part=$(mktemp -d)
trap 'rm -rf "$part"' EXIT
hosts >"$part/hosts" &
pages >"$part/pages" &
hours >"$part/hours" &
sizes >"$part/sizes" &
wait
for name in hosts pages hours sizes; do
  echo "$name"
  cat "$part/$name"
done >"$out"
