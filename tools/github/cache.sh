#!/bin/bash
# The builds that pawl keeps, between jobs.
#
#   cache.sh where     write to GITHUB_OUTPUT: path, the folder; key and prefix, what the CI cache calls it; save, true in
#                      the job of the default branch. A pull request only reads: what it built must not be used by others
#   cache.sh build     build the commit of this job, for the pull requests that come from it
#
# PAWL is the program (default pawl). The rest is GitHub's environment.
set -eu
unset OUT

# The default branch's own code runs in these events. In pull_request_target the branch's name is the base's.
saves() {
  case ${GITHUB_EVENT_NAME:-} in push | schedule | workflow_dispatch) ;; *) return 1 ;; esac
  python3 - "${GITHUB_EVENT_PATH:-}" "${GITHUB_REF:-}" <<'PYTHON'
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    event = json.load(file)
branch = event.get("repository", {}).get("default_branch")
sys.exit(not branch or sys.argv[2] != f"refs/heads/{branch}")
PYTHON
}

where() {
  local prefix save=false
  # shellcheck source=/dev/null
  prefix=pawl-trees-$(uname -m)-${ImageOS:-$(. /etc/os-release && echo "$ID${VERSION_ID:-}")}-${ImageVersion:-0}-
  if saves; then save=true; fi
  printf '%s\n' "path=${XDG_CACHE_HOME:-$HOME/.cache}/pawl/trees" "prefix=$prefix" \
    "key=$prefix${GITHUB_SHA:-none}-${GITHUB_RUN_ID:-0}-${GITHUB_RUN_ATTEMPT:-1}" "save=$save" >>"${GITHUB_OUTPUT:-/dev/stdout}"
}

# Without build: there is nothing to keep. A commit that does not build is no fault of the gate's.
build() {
  "${PAWL:-pawl}" cache build HEAD || echo '::notice::no build is kept for the pull requests that come from this commit'
  "${PAWL:-pawl}" cache
}

case ${1:-} in
  where | build) "$1" ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
