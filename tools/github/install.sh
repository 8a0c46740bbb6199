#!/bin/bash
# Put pawl on the PATH of the steps that follow, with a perf for this kernel, and say what can be measured here.
#
#   install.sh     of the checkout that it lies in
#
# PAWL_MODE=comment needs neither perf nor counters. Where a pawl was built in that checkout already it is used.
set -eu

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

echo '::group::Installing pawl'
if [[ ${PAWL_MODE:-} == comment ]]; then
  "$source/tools/setup.sh" build
else
  "$source/tools/setup.sh" build measure
  "$source/tools/github/counters.sh"
fi
[[ -x $source/build/pawl ]] || make -C "$source" -j "$(nproc)"
echo '::endgroup::'
[[ -z ${GITHUB_PATH:-} ]] || echo "$source/build" >>"$GITHUB_PATH"
"$source/build/pawl" --version

if [[ ${PAWL_MODE:-} != comment ]]; then
  # What it finds is no reason to end here: gates that cannot be measured say so themselves.
  "$source/build/pawl" doctor || true
  found=$("$source/build/pawl" doctor --json || true)
  echo "::notice title=pawl::counter tier $(sed -n 's/^ *"tier": "\(.*\)",$/\1/p' <<<"$found"), machine class" \
    "$(sed -n 's/^ *"class": "\(.*\)",$/\1/p' <<<"$found")"
fi
