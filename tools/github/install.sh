#!/bin/bash
# Put pawl on the PATH of the steps that follow.
#
#   install.sh GROUP...     of the checkout that it lies in; groups of packages as of tools/setup.sh
#
# The group measure also lets perf count, and prints what this machine can measure. A pawl that was built in that
# checkout already is used.
set -eu

source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
measure=
[[ " $* " != *' measure '* ]] || measure=1

echo '::group::Installing pawl'
"$source/tools/setup.sh" "$@"
[[ -z $measure ]] || "$source/tools/github/counters.sh"
[[ -x $source/build/pawl ]] || make -C "$source" -j "$(nproc)"
echo '::endgroup::'
[[ -z ${GITHUB_PATH:-} ]] || echo "$source/build" >>"$GITHUB_PATH"
"$source/build/pawl" --version

if [[ $measure ]]; then
  # Problems do not end the job here: the report names each gate that could not be measured.
  "$source/build/pawl" doctor || true
  found=$("$source/build/pawl" doctor --json || true)
  echo "::notice title=pawl::counter tier $(sed -n 's/^ *"tier": "\(.*\)",$/\1/p' <<<"$found"), machine class" \
    "$(sed -n 's/^ *"class": "\(.*\)",$/\1/p' <<<"$found")"
fi
