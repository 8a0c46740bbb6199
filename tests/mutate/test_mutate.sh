#!/bin/bash
# Runs every command on a few damaged files, from a fixed seed. `make mutate` tries 20,000 new ones.
# shellcheck shell=bash
set -u

here=$(cd "$(dirname "$0")" && pwd)

command -v python3 >/dev/null || { echo 'skip  damaged files: python3 is not installed'; exit 0; }
said=$("$here/mutate.py" --inputs "${MUTATIONS:-150}" --seed 2026 --kept) || { echo "FAIL  damaged files: $said"; exit 1; }
echo "ok    damaged files: $(tail -n 1 <<<"$said")"
