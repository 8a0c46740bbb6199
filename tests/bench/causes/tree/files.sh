#!/bin/sh
# Makes folders with many files, the same each time.
awk 'BEGIN { for (i = 0; i < 60; i++) for (j = 0; j < 250; j++) printf "files/d%d/e%d/name-%d.txt\n", i % 12, i, (j * 7919 + i) % 10007 }' >names
xargs dirname <names | sort -u | xargs mkdir -p
xargs touch -d 2020-01-01 <names
