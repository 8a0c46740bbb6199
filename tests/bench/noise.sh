#!/bin/bash
# Error rates of pawl's rule and of common rules on recorded noise. See noise.c; the first argument is its program.
# NOISE_SEED is the random seed. Status 1 if pawl's rule misses a limit.
set -eu

cd "$(dirname "$0")/../.."
command -v xz >/dev/null || { echo 'bench: xz is not installed: run "make setup"' >&2; exit 3; }
xz -dc tests/fixtures/noise/runs.csv.xz | "$1" "${NOISE_SEED:-1}"
