#!/bin/bash
# tools/github/archive.sh with a bare repository as remote: the first push, a second, two at once, refusals. Then
# `pawl history` reads the branch.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
archive=$root/tools/github/archive.sh
. "$root/tests/results.sh"
export GIT_CONFIG_GLOBAL=$work/gitconfig GIT_CONFIG_NOSYSTEM=1 HOME=$work
unset GIT_DIR GIT_INDEX_FILE GIT_WORK_TREE

# ends WORDS STATUS TEXT COMMAND...: COMMAND ends with STATUS and prints TEXT.
ends() {
  local words=$1 wanted=$2 text=$3 status=0
  shift 3
  "$@" >"$work/output" 2>&1 || status=$?
  if [[ $status -ne $wanted ]]; then fail "$words: status $status"; elif ! grep -q -- "$text" "$work/output"; then fail "$words"; else ok "$words"; fi
}
holds() { if [[ $2 == "$3" ]]; then ok "$1"; else echo "$2, not $3" >"$work/output"; fail "$1"; fi; }
files() { git -C "$work/remote.git" ls-tree -r --name-only pawl-history; }

command -v jq >/dev/null || { echo 'skip  the archive: jq is not installed'; exit 0; }
git config --global user.name pawl
git config --global user.email pawl@example.com
git config --global init.defaultBranch main
git init -q --bare "$work/remote.git"
git clone -q "$work/remote.git" "$work/one" 2>/dev/null
cd "$work/one" || exit 1
git commit -q --allow-empty -m first
git push -q origin main
git clone -q "$work/remote.git" "$work/two"

# result DIR DAY: writes a result as `pawl run` does.
result() {
  mkdir -p "$1"
  jq --arg date "2026-11-$2T10:00:00Z" --arg commit "$(git -C "$work/one" rev-parse HEAD)" \
    '.date = $date | .commit = $commit[0:12] | .scenarios[0].profile = null' "$root/tests/fixtures/result.json" >"$1/result.json"
}

result out/a 01
ends 'the first result makes the branch' 0 'in pawl-history now' "$archive" out/a
holds 'in a folder of its month' "$(files | sed 's/-[0-9a-f]\{12\}-.*\.json/-COMMIT-CLASS.json/')" '2026/11/2026-11-01T100000Z-COMMIT-CLASS.json'
holds 'without history of the project' "$(git -C "$work/remote.git" rev-list --count pawl-history)" 1
ends 'the same again changes nothing' 0 'already' "$archive" out/a/result.json
result out/b/deep 02
ends 'another one, deep in a folder' 0 'in pawl-history now' "$archive" out/b
holds 'both are there' "$(files | wc -l)" 2
holds 'nothing was checked out' "$(git status --porcelain --untracked-files=no; git branch --show-current)" main

# A hook of this clone makes another clone push between fetch and push.
result out/c 03
mkdir -p "$work/two/out"
result "$work/two/out/d" 04
cat >.git/hooks/pre-push <<HOOK
#!/bin/bash
[[ -e $work/pushed ]] && exit
touch $work/pushed
unset GIT_DIR GIT_INDEX_FILE
cd $work/two && $archive out/d >/dev/null
HOOK
chmod +x .git/hooks/pre-push
ends 'who comes second builds upon the first' 0 'in pawl-history now' "$archive" out/c
rm .git/hooks/pre-push
holds 'nothing was lost' "$(files | wc -l)" 4
holds 'in a line' "$(git -C "$work/remote.git" rev-list --count --min-parents=2 pawl-history)" 0

# Four clones push at once.
for day in 11 12 13 14; do
  git clone -q "$work/remote.git" "$work/clone-$day"
  result "$work/clone-$day/out" "$day"
  (cd "$work/clone-$day" && "$archive" out >"$work/said-$day" 2>&1) &
done
wait
cat "$work"/said-* >"$work/output"
holds 'four jobs at once' "$(files | wc -l)" 8

ends 'a missing file is named' 1 'there is no out/none' "$archive" out/none
echo '{"schema": 1}' >out/a/result.json
ends 'what is no result is refused' 1 'is no result of pawl' "$archive" out/a
jq '.date = "2026-11-05T10:00:00Z" | .commit = "../../../x y" | .machine.class = "/etc/passwd"' "$root/tests/fixtures/result.json" >out/a/result.json
ends 'names become no paths' 0 'in pawl-history now' "$archive" out/a
holds 'names are made harmless' "$(files | grep -c '^2026/11/2026-11-05T100000Z-..-..-..-x-y--etc-passwd.json$')" 1
ends 'a branch that is none' 1 "no name of a branch" env PAWL_ARCHIVE_BRANCH='a..b' "$archive" out/a
printf '#!/bin/sh\necho no rights >&2\nexit 1\n' >"$work/remote.git/hooks/pre-receive"
chmod +x "$work/remote.git/hooks/pre-receive"
result out/e 06
ends 'who may not push is told what is missing' 1 'contents: write' "$archive" out/e
rm "$work/remote.git/hooks/pre-receive"
ends 'a remote that is gone' 1 'cannot read' env PAWL_ARCHIVE_REMOTE="$work/nowhere" "$archive" out/e

git fetch -q origin
ends 'pawl reads the branch' 0 'redis-get on x86_64' "$PAWL" history --branch pawl-history
[[ $failures -eq 0 ]]
