#!/bin/bash
# Runs the steps of action.yml in a project of its own, with GitHub's variables as on a runner. Covers changes that are
# clean, slower or new, that edit their own gates, or come from a fork; clones without history; hostile inputs.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python3 -c 'import yaml' 2>/dev/null || { echo 'no python3 with yaml (tools/setup.sh test)'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  printf 'FAIL  action: %s: %s\n' "$name" "$1"
  sed 's/^/      | /' "$work/output" "$work/summary.md"
  failures=$((failures + 1))
  failed=1
}

# Replaces sudo and sysctl: here a step must not become root or change kernel settings.
mkdir "$work/bin" "$work/cache"
printf '#!/bin/sh\necho "not here: $*"\n' | tee "$work/bin/sudo" >"$work/bin/sysctl"
chmod +x "$work"/bin/*

scenario() {
  printf 'version: 1\nname: %s\ntarget: { command: [./prog] }\nmeasure: { runs: 3 }\n' "$1"
  printf 'profile: { kinds: [] }\ngates: { task-clock: off, max-rss: { max: %s } }\n' "$2"
}

commit() { git add -A && git commit -qm "$1"; }

# Makes the base, `upstream`, and a clone for the change, `tree`.
project() {
  rm -rf "$work/upstream" "$work/tree"
  git init -q -b main "$work/upstream"
  cd "$work/upstream"
  mkdir scenarios
  scenario small 16MiB >scenarios/small.yaml
  printf '#!/bin/sh\nseq 10 >/dev/null\n' >prog
  chmod +x prog
  echo /pawl-out/ >.gitignore
  commit base
  git clone -q "$work/upstream" "$work/tree"
  cd "$work/tree"
  git checkout -q -b change
}

swell() { printf '#!/bin/sh\nexec python3 -c "x = bytearray(64 << 20)"\n' >prog; }

# action STATUS INPUT...: the action ends with STATUS. `variables` adds to the environment; `file` is the action's.
variables=() file=action.yml
action() {
  local status=0 wanted=$1 one inputs=()
  shift
  for one in "$@"; do inputs+=(--input "$one"); done
  for one in "${variables[@]}"; do inputs+=(--env "$one"); done
  rm -rf "$work/artifacts" pawl-out
  mkdir "$work/artifacts"
  : >"$work/summary.md"
  failed=
  python3 "$here/job.py" action "$root/$file" --tree "$work/tree" --artifacts "$work/artifacts" \
    --cache "$work/cache" --env XDG_CACHE_HOME="$work/home/.cache" --env PATH="$work/bin:$PATH" --env PAWL_NO_INSTALL=1 --env CI=true --env GITHUB_ACTIONS=true \
    --env GITHUB_EVENT_NAME=pull_request --env GITHUB_EVENT_PATH="$work/event.json" --env GITHUB_BASE_REF=main \
    --env GITHUB_REPOSITORY=owner/project --env GITHUB_API_URL=http://127.0.0.1:9 --env GITHUB_RUN_ID=1 \
    --env GITHUB_STEP_SUMMARY="$work/summary.md" --env GITHUB_WORKSPACE="$work/tree" \
    "${inputs[@]}" >"$work/output" 2>&1 || status=$?
  [[ $status -eq $wanted ]] || fail "status $status, not $wanted"
}

says() { grep -qE -- "$1" "$work/output" || fail "it does not say: $1"; }
summary() { grep -qE -- "$1" "$work/summary.md" || fail "the summary does not say: $1"; }
uploaded() { grep -qs '"small"' "$work/artifacts/$1" || fail "no artifact $1"; }
passed() { [[ $failed ]] || printf 'ok    action: %s\n' "$name"; }

echo '{"action": "opened", "pull_request": {"number": 7, "labels": []}}' >"$work/event.json"

name='a clean change passes, and the machine is named'
project
git commit -q --allow-empty -m nothing
action 0
says 'notice title=pawl::counter tier [a-z]+, machine class [a-z0-9_-]+$'
says 'output status=0'
summary '^## .*pass'
uploaded pawl-result/result.json
passed

name='a change that needs more memory fails, at its gate'
project
swell
commit slower
action 1 artifact=mine
says '::error file=scenarios/small.yaml,line=[0-9]+'
says 'output status=1'
summary 'REGRESSION'
uploaded mine/result.json
passed

# compared WITH HOW: the artifact's result names its base commit, or none, and how it was compared.
compared() {
  local got
  got=$(jq -r '"\(.scenarios[0].pairing.base.commit // "none") \(.mode)"' "$work/artifacts/pawl-result/result.json")
  [[ $got == "$1 $2" ]] || fail "compared with $got, not $1 $2"
}

# builds COMMAND: the base branch has it as build:, and the change is made on top of that.
builds() {
  project
  (cd "$work/upstream" && echo "build: $1" >pawl.yaml && commit 'how to build')
  git pull -q origin main
  swell
  commit slower
  (cd "$work/upstream" && git commit -q --allow-empty -m 'main goes on')
  git fetch -q
}

name='in pairs with the merge base, if the base branch has build:'
builds 'test -x prog'
action 1 runs=10
compared "$(git rev-parse HEAD~1)" paired
summary 'REGRESSION'
passed

name='base: names another commit, and base: none is stored baselines alone'
action 1 runs=10 base=HEAD~2
compared "$(git rev-parse HEAD~2)" paired
action 1 base=none
compared none stored
passed

name='a base that cannot be built is named, with the command'
builds "'exit 7'"
action 3
says '::error .*build: of pawl.yaml\) failed: exited with status 7'
summary 'exited with status 7'
passed

name='a new scenario is new, not a failure'
project
scenario added 16MiB >scenarios/added.yaml
commit 'one more'
action 0
summary 'scenarios/added.yaml'
passed

name='strict, what is new fails'
printf 'gates: { page-faults: default, max-rss: { max: 16MiB } }\n' >>scenarios/added.yaml
sed -i '/task-clock: off/d' scenarios/added.yaml
commit 'a gate without a baseline'
action 4 strict=true
summary 'has no baseline'
passed

name='a change that edits its judge is judged by the old one'
project
swell
scenario small 512MiB >scenarios/small.yaml
commit 'slower, and allowed'
action 1
summary 'scenarios/small.yaml'
summary 'REGRESSION'
passed

name='a tag with the name of the base branch does not judge'
git tag origin/main
action 1
summary 'REGRESSION'
git tag -d origin/main >/dev/null
passed

name='a fork is judged alike; a comment that cannot be written changes no verdict'
echo '{"action": "opened", "pull_request": {"number": 7, "head": {"repo": {"fork": true}}}}' >"$work/event.json"
action 1 comment=true
says '::error::no comment: GitHub does not answer'
says 'output status=1'
passed

label() { echo "{\"action\": \"$1\", \"label\": {\"name\": \"$2\"}, \"pull_request\": {\"number\": 7, \"labels\": [{\"name\": \"ok\"}]}}" >"$work/event.json"; }
accept_now() { XDG_RUNTIME_DIR=$work "$root/build/pawl" baseline update -q --reason "$1" >"$work/output" 2>&1 || fail 'no baseline'; }

name='a label accepts the baseline that a change brings, in the run that it starts'
project
failed=
(
  cd "$work/upstream"
  sed -i 's/max-rss: .*/page-faults: +50% }/' scenarios/small.yaml
  accept_now first
  commit 'a gate that compares'
)
git pull -q origin main
swell
accept_now 'more is needed'
commit 'slower, with its baseline'
label labeled ok
action 0 accept-label=ok
summary 'accepted'
label labeled other
action 1 accept-label=ok
grep -q 'counts only with --accept' "$work/artifacts/pawl-result/result.json" || fail 'the step is not named'
label synchronize ok
action 1 accept-label=ok
label labeled ''
action 1
passed

name='without history there is no merge base, and it says what to do'
builds 'test -x prog'
git clone -q --depth 1 --no-single-branch -b change "file://$work/tree" "$work/shallow"
mv "$work/tree" "$work/whole"
mv "$work/shallow" "$work/tree"
cd "$work/tree"
git update-ref refs/remotes/origin/main "$(git commit-tree -m other 'HEAD^{tree}')"
action 2
says '::error::.*fetch-depth: 0'
summary 'fetch-depth: 0'
passed

name='a base that git does not know is named'
variables=(GITHUB_BASE_REF=nowhere)
action 2
says '::error::.*origin/nowhere'
variables=()
passed

name='no shell reads what is given'
project
git commit -q --allow-empty -m nothing
# shellcheck disable=SC2016
action 2 scenarios='$(touch hacked) `touch hacked` ;touch hacked' base='--upload-pack=touch hacked' runs='$(touch hacked)'
[[ ! -e hacked ]] || fail 'a shell did'
passed

name='inputs that are gone fail, and name the new ones'
action 2 mode=stored
says '::error::mode is gone: .*base: none.*OWNER/pawl/comment'
summary 'mode is gone'
action 2 build=make
says '::error::build is gone .*pawl.yaml, as build: make'
passed

# runner: a new machine, with a new clone of COMMIT.
runner() {
  cd "$work"
  rm -rf "$work/home" "$work/tree"
  git clone -q "$work/upstream" "$work/tree"
  cd "$work/tree"
  git checkout -q -b change "$1"
}

kept() { find "$work/cache" -name '*.tar' | wc -l; }

name='the job of the default branch saves builds, which a pull request uses'
builds 'test -x prog'
cp -r "$work/tree" "$work/change"
rm -rf "$work/cache"
mkdir "$work/cache"
main=$(git -C "$work/upstream" rev-parse main)
runner "$main"
printf '{"repository": {"default_branch": "main"}}\n' >"$work/event.json"
variables=(GITHUB_EVENT_NAME=push GITHUB_REF=refs/heads/main GITHUB_BASE_REF= GITHUB_SHA="$main")
action 0
says "${main:0:12} is built and kept"
says 'saved pawl-trees-'
[[ $(kept) -eq 1 ]] || fail "$(kept) entries in the cache"
runner "$main"
git commit -q --allow-empty -m 'a change'
variables=(GITHUB_REF=refs/pull/7/merge)
action 0 runs=10
says 'restored pawl-trees-'
says "using the kept build of ${main:0:12}"
says 'Save the kept builds: skipped'
[[ $(kept) -eq 1 ]] || fail "$(kept) entries in the cache"
passed

# saves EVENT REF: true if a job of that event and branch saves its builds.
saves() {
  GITHUB_OUTPUT='' GITHUB_EVENT_PATH="$work/event.json" GITHUB_EVENT_NAME=$1 GITHUB_REF=$2 "$root/tools/github/cache.sh" where >"$work/output"
  grep -qx save=true "$work/output"
}

name='only the code of the default branch saves builds: a pull request cannot poison them'
failed=
for event in push schedule workflow_dispatch; do
  saves $event refs/heads/main || fail "$event does not save"
  ! saves $event refs/heads/change || fail "$event of another branch saves"
done
for event in pull_request pull_request_target workflow_run issue_comment merge_group ''; do
  ! saves "$event" refs/heads/main || fail "'$event' saves"
done
variables=()
passed

name='the commenter runs from its own folder'
file=comment/action.yml
echo '{"workflow_run": {"event": "push"}}' >"$work/event.json"
action 0
says '::notice::no comment: the run was not of a pull request'
echo '{"repository": {"id": 1}, "workflow_run": {"id": 9, "event": "pull_request", "head_sha": "a", "pull_requests": []}}' >"$work/event.json"
action 0 artifact=mine
says '::notice::no comment: the fork or the branch of the run is gone'
passed

[[ $failures -eq 0 ]]
