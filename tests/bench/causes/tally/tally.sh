#!/bin/sh
# tally.sh TABLE OUT: reports sales by shop and by month.
set -eu

usage() {
  echo "usage: tally.sh TABLE OUT" >&2
  exit 2
}

# Prints the rows to count, without comments and returns.
rows() {
  grep -v '^#' "$table" | awk -F, '$4 >= 0'
}

by_shop() {
  rows | awk -F, '{ sum[$1] += $4 } END { for (s in sum) printf "%s %d\n", s, sum[s] }' | sort
}

by_month() {
  rows | awk -F, '{ sum[substr($2, 1, 7)] += $4 } END { for (m in sum) printf "%s %d\n", m, sum[m] }' | sort
}

# Prints the largest sales, each once.
largest() {
  rows | cut -d, -f3,4 | sort -t, -k2,2nr -k1,1 | uniq | sed -n 1,20p
}

name_of() {
  shop=$1
  echo "${shop#shop-}"
}

report() {
  echo "by shop"
  by_shop | while read -r shop sum; do
    printf '%-10s %10d\n' "$(name_of "$shop")" "$sum"
  done
  echo "by month"
  by_month
  echo "largest"
  largest
}

[ $# -eq 2 ] || usage
table=$1
report >"$2"
