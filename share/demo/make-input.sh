#!/bin/sh
# Write the text that words counts to standard output: the same bytes on every machine.
set -eu

# A Lehmer sequence: every product stays below 2^53, so each awk makes the same text.
awk 'BEGIN {
  x = 1
  for (i = 1; i <= 400000; i++) {
    x = x * 16807 % 2147483647
    n = 1 + x % (1 + x % 1600)
    printf "%c%c%c%c%s%s", 97 + n % 26, 97 + n % 19, 97 + n % 23, 97 + n % 17,
      substr("ationmentnesslike", 1 + n % 13, 3), i % 10 ? " " : "\n"
  }
}'
