#!/bin/bash
# Baselines that a workflow measured, as a change that somebody reviews.
#
#   baselines.sh accept     measure PAWL_SCENARIOS (default all) three times, accept them for PAWL_REASON, and leave the
#                           files that changed in pawl-baselines/
#   baselines.sh propose    commit those files to a branch of its own, push it, and open a pull request with the reason
#
# PAWL is the program (default pawl). propose needs GITHUB_TOKEN, which may write contents and pull requests; REMOTE (default
# the repository on GITHUB_SERVER_URL) is where it pushes to.
set -eu

error() {
  printf '::error::%s\n' "$1"
  exit 1
}

[[ ${PAWL_REASON:-} == *[![:space:]]* ]] || error 'PAWL_REASON is empty: say why these numbers are to be accepted'

accept() {
  local scenarios
  read -r -d '' -a scenarios <<<"${PAWL_SCENARIOS:-}" || true
  "${PAWL:-pawl}" baseline update --sessions 3 --reason="$PAWL_REASON" -- "${scenarios[@]}"
  git add -N -- baselines
  git diff --name-only -z -- baselines | while IFS= read -r -d '' file; do
    install -D -m 644 -- "$file" "pawl-baselines/${file#baselines/}"
  done
}

# The token reaches git by its environment, where no list of processes shows it.
push() {
  local remote=${REMOTE:-${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_REPOSITORY}
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=http.extraheader \
    GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$GITHUB_TOKEN" | base64 -w 0)" \
    git push -q "$remote" "HEAD:refs/heads/$1" ||
    error 'the branch cannot be pushed: the job needs contents: write'
}

propose() {
  local branch=pawl/baselines-${GITHUB_RUN_ID:?}-${GITHUB_RUN_ATTEMPT:-1}
  # Nothing but baselines comes over, whatever the artifact holds.
  (cd pawl-baselines && find . -type f -regex '\./[A-Za-z0-9._+-]+/[A-Za-z0-9._+-]+\.\(json\|folded\)' -print0) |
    while IFS= read -r -d '' file; do install -D -m 644 -- "pawl-baselines/$file" "baselines/$file"; done
  git add -- baselines
  ! git diff --cached --quiet || error 'no baseline differs from those that are accepted already'
  git -c user.name='github-actions[bot]' -c user.email=41898282+github-actions[bot]@users.noreply.github.com \
    commit -q -m "baselines: measure on ${PAWL_RUNNER:-a runner}" -m "$PAWL_REASON"
  push "$branch"
  python3 - "$branch" <<'PYTHON'
import json, os, sys, urllib.error, urllib.request

env = os.environ
runner = env.get("PAWL_RUNNER", "a runner")
body = {"title": f"baselines: measure on {runner}", "head": sys.argv[1], "base": env["GITHUB_REF_NAME"],
        "body": f"Measured on `{runner}` by {env.get('GITHUB_SERVER_URL', 'https://github.com')}/{env['GITHUB_REPOSITORY']}"
                f"/actions/runs/{env['GITHUB_RUN_ID']}.\n\nReason:\n\n{env['PAWL_REASON']}\n"}
request = urllib.request.Request(
    f"{env.get('GITHUB_API_URL', 'https://api.github.com')}/repos/{env['GITHUB_REPOSITORY']}/pulls",
    data=json.dumps(body).encode(), method="POST",
    headers={"Accept": "application/vnd.github+json", "Authorization": f"Bearer {env['GITHUB_TOKEN']}"})
try:
    with urllib.request.urlopen(request, timeout=60) as answer:
        print("opened", json.load(answer).get("html_url"))
except urllib.error.HTTPError as fault:
    sys.exit(f"::error::GitHub answers {fault.code}: the branch {sys.argv[1]} is pushed, the pull request is not open. "
             "403: allow it under Settings, Actions, General, \"Allow GitHub Actions to create and approve pull requests\", "
             "or open it by hand")
except OSError as fault:
    sys.exit(f"::error::GitHub does not answer ({fault}); the branch {sys.argv[1]} is pushed: open its pull request by hand")
PYTHON
}

case ${1:-} in
  accept | propose) "$1" ;;
  *) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
