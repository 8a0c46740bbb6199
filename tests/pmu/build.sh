#!/bin/bash
# Builds pawl, its unit tests and the variants of branchy for CC's target machine, an emulated one. With a FOLDER, only the
# variants, for a machine that is ten times as fast.
set -eu

cd "$(dirname "$0")/../.."
built=${1:-build/guest} rounds=60
[[ $# -eq 0 ]] || rounds=600
[[ $# -gt 0 ]] || make B=build/guest OPTIMISE='-O1 -g' build/guest/pawl units
# shellcheck disable=SC2086  # CC may hold options
for shape in ORDERED SHUFFLED MORE LEAN; do
  ${CC:-cc} -O2 -D"$shape" -DROUNDS="$rounds" -o "$built/branchy-${shape,,}" tests/pmu/branchy.c
done
