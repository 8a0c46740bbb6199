#!/bin/bash
# How often rules are right on recorded noise, pawl's beside those of others. See noise.c, whose program is the
# first argument; NOISE_SEED is where its chances start. Status 1 when pawl's rule misses a limit.
set -eu

cd "$(dirname "$0")/../.."
command -v xz >/dev/null || { echo 'bench: xz is not installed: run "make setup"' >&2; exit 3; }
xz -dc tests/fixtures/noise/runs.csv.xz | "$1" "${NOISE_SEED:-1}"
