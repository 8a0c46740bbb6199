#!/bin/bash
# Let perf count as much as this machine has, where that needs no password; say so where it does.
set -u

settings=(kernel.perf_event_paranoid=-1 kernel.kptr_restrict=0)

sudo=()
if [[ $(id -u) -ne 0 ]]; then sudo=(sudo -n); fi
if ! said=$("${sudo[@]}" sysctl -w "${settings[@]}" 2>&1); then
  echo "::notice::perf may count less than this machine has, since its settings cannot be changed here ($said)"
fi
