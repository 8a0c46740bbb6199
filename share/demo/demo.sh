#!/bin/bash
# pawl in one minute: a small program gets a baseline, then a slower hash, and the gate goes red.
# PAWL is the binary to use, PAWL_DEMO_DIR where the demo's project folders are kept.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PAWL=$(command -v "${PAWL:-build/pawl}") || {
  echo "demo: no pawl at '${PAWL:-build/pawl}': build it with 'make', or set PAWL" >&2
  exit 2
}
PAWL=$(readlink -f "$PAWL")
flags='-O2 -g -fno-omit-frame-pointer -fno-inline'

# The demo is a project of its own, also when it runs inside somebody's pull request.
unset "${!GITHUB_@}"

step=0
announce() { step=$((step + 1)); printf '\n[%d] %s\n    $ %s\n\n' "$step" "$1" "$2"; }

die() {
  printf '\ndemo: FAILED: %s\ndemo: everything is kept in %s\n' "$*" "$project" >&2
  exit 1
}

# expect STATUSES WORDS ARGUMENTS...: run pawl, which must end with one of STATUSES.
expect() {
  local wanted=$1 words=$2 status=0 shown
  shift 2
  printf -v shown '%q ' pawl "$@"
  announce "$words" "${shown% }"
  "$PAWL" "$@" || status=$?
  [[ " $wanted " == *" $status "* ]] || die "'${shown% }' ended with status $status, not ${wanted// / or }"
  printf '\n    status %d, as expected\n' "$status"
}

build() {
  announce "$1" "${CC:-cc} $flags -o words words.c"
  # shellcheck disable=SC2086
  ${CC:-cc} $flags -o words words.c || die "the compiler refused words.c"
}

commit() {
  announce "$1" "git commit --all --message '$1'"
  git add -A
  git -c user.name=demo -c user.email=demo@localhost -c commit.gpgsign=false commit -q -m "$1"
}

base=${PAWL_DEMO_DIR:-build/demo}
mkdir -p "$base"
project=$(cd "$base" && mktemp -d "$PWD/words-XXXXXX")
cd "$project"
mkdir scenarios
cp "$here/words.c" "$here/make-input.sh" .
cp "$here/words.yaml" scenarios/
echo "build: ${CC:-cc} $flags -o words words.c" >pawl.yaml
git init -q .
printf '/words\n/pawl-out\n' >.gitignore
export XDG_CACHE_HOME=$project-cache # where trees are kept; in the project they would count as a change of it
echo "The demo's project: $project"

expect '0 3' 'What can this machine measure?' doctor
build 'Build words, which counts the words of a text in a hash table'
expect 0 'Measure it: there is no baseline yet, so everything is new' run
expect 0 'Accept that run as the baseline' baseline update --reason 'first baseline'
expect 0 'Two more sessions teach pawl how far times move here by themselves' -q baseline update --sessions 2
commit 'words and its baseline'
expect 0 'Measure again: the same program passes' run
sed -i '1i #define WEAK_HASH' words.c
build 'Make the mistake: a hash that adds up letters, so that the chains grow'
expect 1 'Measure again: stored times flag it or leave it open, and pairs against the commit turn the gate red' run

report=$project/pawl-out/latest/report.md
[[ -s $report ]] || die "there is no report at $report"
printf '\nThe gate caught it. The report: %s\n' "$report"

if [[ -s pawl-out/latest/words/stacks.folded ]]; then
  # What the weak hash makes slow is the search through chains that grew.
  cause=$(grep -o 'table_find ([^)]*) costs [^"]*' pawl-out/latest/result.json) || die 'the report does not name table_find'
  printf 'The cause: %s.\n' "$cause"
else
  printf 'No profile could be taken here, so no function is named: pawl doctor tells why.\n'
fi
