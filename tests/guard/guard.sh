#!/bin/bash
# guard.sh [REF [OPTION...]]: compares all deterministic output of the current build with that of the commit REF
# (default HEAD~1). See guard.py, which takes the options. The program of REF is built once, in build/guard, and writes
# the results that both read.
# shellcheck shell=bash
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
head=${PAWL:-$root/build/pawl}
commit=$(git -C "$root" rev-parse --verify --quiet "${1:-HEAD~1}^{commit}") || { echo "guard.sh: git finds no commit '${1:-HEAD~1}'" >&2; exit 2; }
shift $(($# > 0))
place=$root/build/guard/$commit

if [[ ! -x $place/pawl ]]; then
  echo "building ${commit:0:12} in build/guard"
  mkdir -p "$place/tree"
  git -C "$root" archive "$commit" | tar -x -C "$place/tree"
  make -C "$place/tree" --no-print-directory -j"$(nproc)" B=build/release all >"$place/log" 2>&1 ||
    { tail -n 20 "$place/log" >&2; echo "guard.sh: ${commit:0:12} does not build" >&2; exit 2; }
  mkdir -p "$place/results"
  # A commit without samples.c reads the samples of the current build.
  samples=${head%/pawl}/unit/samples
  [[ ! -e $place/tree/tests/unit/samples.c ]] || { samples=$place/tree/build/release/unit/samples
    make -C "$place/tree" --no-print-directory B=build/release build/release/unit/samples >>"$place/log" 2>&1; }
  "$samples" "$place/results"
  cp "$place/tree/build/release/pawl" "$place/pawl"
  rm -rf "$place/tree"
fi
exec "$root/tests/guard/guard.py" --known "$place/known" --results "$place/results" "$@" "$place/pawl" "$head"
