#!/bin/bash
# The examples of docs/how-to/other-ci.md, run in a clone as a CI system makes it, with its variables: a clean change, a
# slower one, and one that loosens its own gates.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"
page=$root/docs/how-to/other-ci.md
python3 -c 'import yaml' 2>/dev/null || { echo 'no python3 with yaml (python3-yaml)'; exit 77; }

block() { awk -v kind="^\`\`\`$1\$" '$0 ~ kind { on = 1; next } /^```/ { on = 0 } on' "$page"; }

# What the runner of the job has already stands in for what it would install and build.
mkdir -p "$work/bin" "$work/runtime" "$work/opt"
chmod 700 "$work/runtime"
ln -s "$PAWL" "$work/bin/pawl"
printf '#!/bin/sh\n' | tee "$work/bin/apt-get" >"$work/bin/make"
chmod +x "$work"/bin/*
unset "${!GITHUB_@}" "${!CI_@}"
export PATH=$work/bin:$PATH XDG_RUNTIME_DIR=$work/runtime HOME=$work CI=true PAWL_NO_INSTALL=1
git config --global user.name pawl
git config --global user.email pawl@example.com
git config --global url."$root".insteadOf https://github.com/OWNER/pawl

# The script of the job, with /opt in the scratch folder, as the runner executes it.
block 'yaml gitlab' >"$work/gitlab.yml"
python3 - "$work/gitlab.yml" "$work/opt" >"$work/gitlab.sh" <<'PYTHON'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))["performance"]
assert job["variables"]["GIT_DEPTH"] == "0" and job["artifacts"]["paths"] == ["pawl-out/gate"], job
print("set -e", *(f"export {name}={value}" for name, value in job["variables"].items()), *job["before_script"], *job["script"], sep="\n")
PYTHON
sed -i "s|/opt|$work/opt|g" "$work/gitlab.sh"
block 'sh ci' >"$work/any.sh"

git init -q -b main "$work/upstream"
cd "$work/upstream" || exit 1
mkdir scenarios
gate() { printf 'target: { command: [./prog] }\nprofile: { kinds: [] }\ngates: { task-clock: off, max-rss: { max: %s } }\n' "$1" >scenarios/small.yaml; }
prog() { printf '#!/bin/sh\n%s\n' "$1" >prog; chmod +x prog; }
commit() { git add -A && git commit -qm "$1"; }
gate 16MiB
prog 'exec seq 6000000'
echo 'build: "true"' >pawl.yaml
commit base
git checkout -qb clean
git commit -q --allow-empty -m nothing
git checkout -qb larger main
prog 'exec python3 -c "x = bytearray(64 << 20)"'
commit larger
git checkout -qb looser
gate 1GiB
commit 'allow more'
git checkout -q main
git commit -q --allow-empty -m 'a later commit of main'

# ends WORDS STATUS SCRIPT BRANCH: the job of a change, in a clone of all of its branch alone.
ends() {
  local words=$1 wanted=$2 script=$3 branch=$4 status=0
  rm -rf "$work/tree" "$work/opt"
  mkdir "$work/opt"
  git clone -q --single-branch -b "$branch" "file://$work/upstream" "$work/tree"
  (cd "$work/tree" && TARGET=main CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main bash "$script") >"$work/output" 2>&1 || status=$?
  [[ -s $work/tree/pawl-out/gate/junit.xml && -s $work/tree/pawl-out/gate/report.md ]] || { echo 'no report' >>"$work/output"; status=none; }
  if [[ $status == "$wanted" ]]; then ok "$words"; else echo "status $status, not $wanted" >>"$work/output"; fail "$words"; fi
}

ends 'any system: a clean change passes' 0 "$work/any.sh" clean
ends 'any system: one that loosens its own gates fails' 1 "$work/any.sh" looser
ends 'GitLab: a clean change passes' 0 "$work/gitlab.sh" clean
ends 'GitLab: a larger one fails' 1 "$work/gitlab.sh" larger
[[ $failures -eq 0 ]]
