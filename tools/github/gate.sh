#!/bin/bash
# The gate of a pull request: measure, judge, and show the report on the run's page.
#
#   gate.sh     its status is pawl's: see docs/reference/exit-status.md
#
# Environment:
#   PAWL            the program (default pawl)
#   PAWL_BASE       as --base: the commit to compare with, or none; empty leaves it to pawl, which takes base: of
#                   pawl.yaml, or in a pull request the merge base, if pawl.yaml has build:
#   PAWL_SCENARIOS  names or paths, separated by white space; default all
#   PAWL_STRICT     true: a gate that is inconclusive, new or not measured fails too
#   PAWL_RUNS, PAWL_BUDGET    as --runs and --budget
#   PAWL_ACCEPT_LABEL         the run that is started by giving a pull request this label accepts the baselines it brings;
#                   a later push is a run of its own, and needs the label again
#   OUT             folder for results (default pawl-out/gate)
# and GitHub's own. Values are handed on as they are, each as one word; no shell reads them.
set -u
export GIT_NO_REPLACE_OBJECTS=1

pawl=${PAWL:-pawl} out=${OUT:-pawl-out/gate}
# Builds see this environment, and a variable more makes another build.
unset OUT
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# failed [TEXT]: why there is no report, else the end of the log, for the log and the run's page.
failed() {
  local text=${1:-$(grep -v '^::' "$log" | tail -n 12)} escaped
  escaped=${text//%/%25}
  printf '::error::%s\n' "${escaped//$'\n'/%0A}"
  # shellcheck disable=SC2016
  [[ -z ${GITHUB_STEP_SUMMARY:-} ]] ||
    printf 'The performance gate could not run.\n\n```text\n%s\n```\n' "${text//\`\`\`/}" >>"$GITHUB_STEP_SUMMARY"
}

gone() {
  failed "$1"
  exit 2
}

# report: GitHub accepts no more than 1 MiB of summary from a step.
report() {
  [[ -n ${GITHUB_STEP_SUMMARY:-} ]] || return 0
  if [[ $(wc -c <"$out/report.md") -le 500000 ]]; then
    cat "$out/report.md"
  else
    head -n 1 "$out/report.md"
    printf '\nThe report is too long to be shown here; it is in the artifact.\n'
  fi >>"$GITHUB_STEP_SUMMARY"
}

# Only people who may sort pull requests give labels. The event's own label counts, not the list of labels: whoever gave
# those has not seen the commits that were pushed since.
label_given() {
  python3 - "$1" "${GITHUB_EVENT_PATH:-}" <<'PYTHON'
import json, sys
with open(sys.argv[2], encoding="utf-8") as file:
    event = json.load(file)
sys.exit(event.get("action") != "labeled" or event.get("label", {}).get("name") != sys.argv[1])
PYTHON
}

[[ -z ${PAWL_MODE:-} ]] || gone "mode is gone: pairs with the merge base are the default if pawl.yaml has 'build:'; 'base: none' \
compares with baselines alone; OWNER/pawl/comment is the commenter"
[[ -z ${PAWL_BUILD:-} ]] || gone "build is gone from the action: put it into pawl.yaml, as build: $PAWL_BUILD"

options=()
[[ -z ${PAWL_BASE:-} ]] || options+=("--base=$PAWL_BASE")
[[ ${PAWL_STRICT:-} != true ]] || options+=(--strict)
[[ -z ${PAWL_RUNS:-} ]] || options+=("--runs=$PAWL_RUNS")
[[ -z ${PAWL_BUDGET:-} ]] || options+=("--budget=$PAWL_BUDGET")
if [[ ${PAWL_ACCEPT_LABEL:-} && ${GITHUB_EVENT_NAME:-} == pull_request ]] && label_given "$PAWL_ACCEPT_LABEL"; then
  echo "::notice::the label $PAWL_ACCEPT_LABEL was given: baselines that this change brings are accepted"
  options+=(--accept)
fi
read -r -d '' -a scenarios <<<"${PAWL_SCENARIOS:-}"

{
  "$pawl" run "${options[@]}" --out "$out" -- "${scenarios[@]}" 2>&1 >&3 | tee "$log" >&2
  status=${PIPESTATUS[0]}
} 3>&1
if [[ -s $out/report.md ]]; then report; else failed; fi
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  printf '%s\n' "status=$status" "out=$out" >>"$GITHUB_OUTPUT"
fi
exit "$status"
