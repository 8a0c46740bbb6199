#!/bin/bash
# Append results to the branch that keeps them, for `pawl history --branch`, and push it. Nothing is checked out; jobs that
# push at the same time take turns: whoever comes second builds upon what the first one pushed.
#
#   tools/github/archive.sh RESULT...
#
# RESULT is a result.json file, or a folder that holds some at any depth. Each becomes
# YEAR/MONTH/DATE-COMMIT-CLASS.json, without profiles and logs, which no history needs.
#
#   PAWL_ARCHIVE_BRANCH  the branch (pawl-history), made as an orphan where it is missing
#   PAWL_ARCHIVE_REMOTE  where to (origin)
#   PAWL_ARCHIVE_TOKEN   a token of GitHub that may push, where the clone keeps none
set -euo pipefail

branch=${PAWL_ARCHIVE_BRANCH:-pawl-history}
remote=${PAWL_ARCHIVE_REMOTE:-origin}
tries=10

die() {
  printf 'archive.sh: %s\n' "$*" >&2
  exit 1
}

[[ $# -gt 0 ]] || die 'which results? Name result.json files, or folders that hold them'
command -v jq >/dev/null || die 'jq is not installed'
git check-ref-format "refs/heads/$branch" || die "'$branch' is no name of a branch"

# In the environment, since everybody can read the command lines of processes.
if [[ -n ${PAWL_ARCHIVE_TOKEN:-} ]]; then
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.${GITHUB_SERVER_URL:-https://github.com}/.extraheader"
  export GIT_CONFIG_VALUE_0
  GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$PAWL_ARCHIVE_TOKEN" | base64 -w0)"
fi
export GIT_AUTHOR_NAME=${GIT_AUTHOR_NAME:-pawl} GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL:-pawl@localhost}
export GIT_COMMITTER_NAME=${GIT_COMMITTER_NAME:-$GIT_AUTHOR_NAME} GIT_COMMITTER_EMAIL=${GIT_COMMITTER_EMAIL:-$GIT_AUTHOR_EMAIL}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_INDEX_FILE=$work/index

# Where a result goes. What it says of itself is text: only what a file's name may hold is kept, and no path.
name_of() {
  jq -er 'def clean: tostring | gsub("[^A-Za-z0-9._-]"; "-") | .[0:100];
    (.date | select(test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"))) as $date |
    "\($date[0:4])/\($date[5:7])/\($date | gsub(":"; ""))-\(.commit // "none" | clean)-\(.machine.class // "unknown" | clean).json"' "$1"
}

# One line FILE<tab>NAME for each result.
prepare() {
  local file name i=0
  for file in "$@"; do
    [[ -e $file ]] || die "there is no $file"
  done
  while IFS= read -r -d '' file; do
    i=$((i + 1))
    [[ $(stat -c %s "$file") -le $((8 << 20)) ]] || die "$file has more than 8 MiB, which no result has"
    name=$(name_of "$file" 2>"$work/why") || die "$file is no result of pawl: $(head -n 1 "$work/why")"
    jq -c 'del(.scenarios[]? | .raw, .event_groups, .passes, .profile, .symbols, .evidence, .log_tail, .log_path)' "$file" >"$work/$i"
    printf '%s\t%s\n' "$work/$i" "$name"
  done < <(find "$@" -type f -name '*.json' \( -name result.json -o -path "$1" \) -print0 | sort -z)
}

# The branch as it is there now; empty where there is none.
newest() {
  git fetch -q --no-tags "$remote" "+refs/heads/$branch:refs/pawl/archive" 2>"$work/why" && git rev-parse refs/pawl/archive && return
  git ls-remote --exit-code "$remote" "refs/heads/$branch" >/dev/null 2>"$work/why" || [[ $? -eq 2 ]] ||
    die "cannot read $remote: $(head -n 1 "$work/why")"
}

# The commit that adds all of LIST to PARENT; PARENT itself where it has them.
add_to() {
  local parent=$1 file name tree
  rm -f "$GIT_INDEX_FILE"
  [[ -z $parent ]] || git read-tree "$parent"
  while IFS=$'\t' read -r file name; do
    git update-index --add --cacheinfo "100644,$(git hash-object -w "$file"),$name"
  done <"$work/list"
  tree=$(git write-tree)
  if [[ -n $parent && $tree == "$(git rev-parse "$parent^{tree}")" ]]; then
    echo "$parent"
  else
    git commit-tree "$tree" ${parent:+-p "$parent"} -m "$(cut -f2 "$work/list" | head -n 1 | sed 's/\.json$//')" </dev/null
  fi
}

prepare "$@" >"$work/list"
[[ -s $work/list ]] || die "no result.json in $*"
for ((try = 1; try <= tries; try++)); do
  parent=$(newest)
  commit=$(add_to "$parent")
  if [[ $commit == "$parent" ]]; then
    echo "archive.sh: $branch has these results already"
    exit
  fi
  # Without a lease a branch that somebody else made meanwhile would be written over.
  if git push -q "--force-with-lease=refs/heads/$branch:$parent" "$remote" "$commit:refs/heads/$branch" 2>"$work/why"; then
    echo "archive.sh: $(wc -l <"$work/list") result(s) are in $branch now"
    exit
  fi
  if ! grep -qE 'stale info|fetch first|non-fast-forward|cannot lock ref|failed to update ref|remote rejected.*(lock|reference)' "$work/why"; then
    die "cannot push to $branch of $remote: $(grep -v '^To ' "$work/why" | head -n 2 | tr '\n' ' ')(on GitHub the job needs permissions: contents: write)"
  fi
  sleep "0.$((RANDOM % 9 + 1))"
done
die "$branch was pushed to by others $tries times in a row; try again"
