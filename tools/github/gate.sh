#!/bin/bash
# The gate of a pull request: measure, judge, and say what was found on the run's page.
#
#   gate.sh     its status is pawl's: see "Exit status" in the README
#
# Environment:
#   PAWL            the program (default pawl)
#   PAWL_MODE       pairs: the merge base is built and both are measured in pairs, which decide by the scenarios and pawl.yaml
#                   at the tip of PAWL_BASE; what the stored baselines say, where it has some, is shown beside it.
#                   stored (default): the stored baselines decide
#   PAWL_BASE       branch, tag or commit to compare with; default the pull request's base branch
#   PAWL_SCENARIOS  names or paths, by white space; default all
#   PAWL_BUILD      mode pairs: the command that builds the base's tree, in place of build: of pawl.yaml; the change
#                   must be built by it already
#   PAWL_STRICT     true: what is inconclusive, new or not measured fails too
#   PAWL_RUNS, PAWL_BUDGET    as --runs and --budget
#   PAWL_ACCEPT_LABEL         the run that is started by giving a pull request this label accepts what baselines it brings;
#                   a later push is a run of its own, and asks for the label again
#   OUT             folder for results (default pawl-out/gate)
# and GitHub's own. Values are handed on as they are, each as one word; no shell reads them.
set -u
export GIT_NO_REPLACE_OBJECTS=1

pawl=${PAWL:-pawl} out=${OUT:-pawl-out/gate} mode=${PAWL_MODE:-stored}

# error TEXT: for the log and the run's page; the status is that of misuse.
error() {
  printf '::error::%s\n' "$1"
  [[ -z ${GITHUB_STEP_SUMMARY:-} ]] || printf 'The performance gate could not run: %s\n' "$1" >>"$GITHUB_STEP_SUMMARY"
  exit 2
}

# The commit at which HEAD left REF; only what the change itself does lies between them.
merge_base() {
  local commit
  if commit=$(git merge-base -- "$1" HEAD 2>/dev/null); then
    echo "$commit"
  elif [[ $(git rev-parse --is-shallow-repository) == true ]]; then
    error "$shown and the change have no common commit here, since the clone is shallow: give actions/checkout fetch-depth: 0"
  elif ! git rev-parse -q --verify --end-of-options "$1^{commit}" >/dev/null; then
    error "git knows no commit $shown: name another base, or fetch it first (actions/checkout: fetch-depth: 0)"
  else
    error "$shown and the change have no common commit: is the base the right one?"
  fi
}

# base_options COMMIT: where what is compared with comes from.
base_options() {
  if [[ -z ${PAWL_BUILD:-} ]]; then
    options+=(--base "$1")
    return
  fi
  # Its name is what the report says of it.
  folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/pawl.XXXXXX") tree=$folder/base-${1:0:12}
  trap 'git worktree remove --force "$tree"; rm -rf "$folder"' EXIT
  echo "::group::Building $1"
  if ! { git worktree add -q --detach "$tree" "$1" && (cd "$tree" && bash -e -c "$PAWL_BUILD"); }; then
    error "the base, $1, could not be built by '$PAWL_BUILD': the log of this job says why"
  fi
  echo '::endgroup::'
  options+=(--base "$tree" --head .)
}

# Only people who may sort pull requests give labels. The one that counts is of the event itself, not of the list: what is
# pushed later was not looked at by whoever gave it.
label_given() {
  python3 - "$1" "${GITHUB_EVENT_PATH:-}" <<'END'
import json, sys
with open(sys.argv[2], encoding="utf-8") as file:
    event = json.load(file)
sys.exit(event.get("action") != "labeled" or event.get("label", {}).get("name") != sys.argv[1])
END
}

options=()
[[ ${PAWL_STRICT:-} != true ]] || options+=(--strict)
[[ -z ${PAWL_RUNS:-} ]] || options+=("--runs=$PAWL_RUNS")
[[ -z ${PAWL_BUDGET:-} ]] || options+=("--budget=$PAWL_BUDGET")
if [[ ${PAWL_ACCEPT_LABEL:-} && ${GITHUB_EVENT_NAME:-} == pull_request ]] && label_given "$PAWL_ACCEPT_LABEL"; then
  echo "::notice::the label $PAWL_ACCEPT_LABEL was given: baselines that this change brings are accepted"
  options+=(--accept)
fi
read -r -d '' -a scenarios <<<"${PAWL_SCENARIOS:-}"
base=${PAWL_BASE:-}
[[ $base || -z ${GITHUB_BASE_REF:-} ]] || base=refs/remotes/origin/$GITHUB_BASE_REF # a tag origin/main is not the branch
shown=${base#refs/remotes/}

# report FOLDER [TITLE]: GitHub takes no more than 1 MiB of summary from a step.
report() {
  local text=$1/report.md
  [[ -n ${GITHUB_STEP_SUMMARY:-} ]] || return 0
  if [[ ! -s $text ]]; then
    echo 'The performance gate left no report: the log of this job says why.'
  elif [[ $(wc -c <"$text") -gt 500000 ]]; then
    head -n 1 "$text"
    printf '\nThe report is too long to be shown here; it is in the artifact.\n'
  elif [[ -n ${2:-} ]]; then
    printf '\n<details><summary>%s</summary>\n\n' "$2"
    cat "$text"
    printf '\n</details>\n'
  else
    cat "$text"
  fi >>"$GITHUB_STEP_SUMMARY"
}

# has_baselines COMMIT: some were accepted there; where that cannot be read, the comparison with them says why.
has_baselines() {
  local list
  ! list=$("$pawl" baseline list "--judge=$1" 2>/dev/null) || [[ $(wc -l <<<"$list") -gt 1 ]]
}

status=0
case $mode in
  stored)
    [[ -z $base ]] || options+=("--judge=$base")
    "$pawl" run "${options[@]}" --out "$out" -- "${scenarios[@]}" || status=$?
    report "$out"
    ;;
  pairs)
    [[ $base ]] || error 'mode pairs needs a base: run it for pull requests, or name one'
    from=$(merge_base "$base") || { echo "$from"; exit 2; }
    echo "comparing with $from, where the change left $shown"
    options+=("--judge=$base")
    base_options "$from"
    "$pawl" run "${options[@]}" --out "$out" -- "${scenarios[@]}" || status=$?
    report "$out"
    # A baseline that was accepted weeks ago says how far things moved since; it is no judge of this change.
    if [[ $status -ne 2 ]] && has_baselines "$from"; then
      echo '::group::Beside it: the stored baselines'
      # Its annotations would look like this gate's.
      env GITHUB_ACTIONS=false "$pawl" run "--judge=$from" --no-confirm --no-profile --no-explain --out "$out/stored" -- "${scenarios[@]}" ||
        echo "stored comparison: status $?, which does not count"
      echo '::endgroup::'
      report "$out/stored" 'Beside it: the stored baselines'
    fi
    ;;
  *) error "unknown mode '$mode': stored or pairs" ;;
esac
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  printf '%s\n' "status=$status" "out=$out" >>"$GITHUB_OUTPUT"
fi
exit "$status"
