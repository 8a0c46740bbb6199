#!/bin/bash
# The jobs of docs/how-to/gitlab.md and other-ci.md, and that of pawl init, run in a clone as a CI system makes it, with its
# variables: a clean change, a slower one, and one that loosens its own gates.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"
pages=$root/docs/how-to
python3 -c 'import yaml' 2>/dev/null || { echo 'no python3 with yaml (python3-yaml)'; exit 77; }

# block PAGE KIND: the block of the page.
block() { awk -v kind="^\`\`\`$2\$" '$0 ~ kind { on = 1; next } /^```/ { on = 0 } on' "$pages/$1"; }

# What the runner of the job has already stands in for what it would install and build.
mkdir -p "$work/bin" "$work/runtime" "$work/opt"
chmod 700 "$work/runtime"
ln -s "$PAWL" "$work/bin/pawl"
printf '#!/bin/sh\n' | tee "$work/bin/apt-get" >"$work/bin/make"
chmod +x "$work"/bin/*
unset "${!GITHUB_@}" "${!CI_@}" "${!CHANGE_@}" BUILD_URL
export PATH=$work/bin:$PATH XDG_RUNTIME_DIR=$work/runtime HOME=$work CI=true PAWL_NO_INSTALL=1
git config --global user.name pawl
git config --global user.email pawl@example.com
git config --global url."$root".insteadOf https://github.com/OWNER/pawl

# gitlab_script FILE: the script of the job, with /opt in the scratch folder and this tree as pawl's, as the runner executes it.
gitlab_script() {
  python3 - "$1" <<'PYTHON' | sed "s|/opt|$work/opt|g; s|-b main https|https|"
import sys, yaml
job = yaml.safe_load(open(sys.argv[1], encoding="utf-8"))["pawl"]
assert job["variables"]["GIT_DEPTH"] == "0" and job["artifacts"]["paths"] == ["pawl-out/gate"], job
print("set -e", *(f"export {name}={value}" for name, value in job["variables"].items()), sep="\n")
print(f"trap '{' && '.join(job['after_script'])}' EXIT", *job["before_script"], *job["script"], sep="\n")
PYTHON
}

# valid WORDS FILE: GitLab's schema accepts it.
modules=$root/tests/workflows/node_modules
checks() { (cd "$work/schema" && node "$modules/.bin/gitlab-ci-local" --list >"$work/output" 2>&1); }
valid() {
  if ! [[ -x $modules/.bin/gitlab-ci-local ]] || ! command -v node >/dev/null; then
    skip "$1" 'gitlab-ci-local is not installed (tools/setup.sh test)'
    return
  fi
  rm -rf "$work/schema"
  git init -q "$work/schema"
  git -C "$work/schema" remote add origin https://gitlab.com/o/r.git
  git -C "$work/schema" commit -q --allow-empty -m first
  cp "$2" "$work/schema/.gitlab-ci.yml"
  if checks; then ok "$1"; else fail "$1" "$work/output"; fi
  sed -i 's/artifacts:/artifcts:/' "$work/schema/.gitlab-ci.yml"
  if checks; then fail "$1, and not a wrong key"; else ok "$1, and not a wrong key"; fi
}

block gitlab.md 'yaml gitlab' >"$work/page.yml"
gitlab_script "$work/page.yml" >"$work/gitlab.sh"
block other-ci.md 'sh ci' >"$work/any.sh"
{ echo 'set -e'; block other-ci.md 'groovy jenkins' | awk "/'''/ { on = !on; next } on"; } >"$work/jenkins.sh"

# The job that init writes for a project with a Makefile.
git init -q "$work/own"
git -C "$work/own" remote add origin git@gitlab.com:o/r.git
printf 'prog: prog.c\n\tcc -o prog prog.c\n' >"$work/own/Makefile"
echo 'int main(void) { return 0; }' >"$work/own/prog.c"
(cd "$work/own" && pawl init) >/dev/null || fail 'pawl init'
gitlab_script "$work/own/.gitlab-ci.yml" >"$work/init.sh"

valid 'GitLab takes the job of the page' "$work/page.yml"
valid 'GitLab takes the job of pawl init' "$work/own/.gitlab-ci.yml"

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

# ends WORDS STATUS SCRIPT BRANCH NAME=VALUE...: the job of a change, in a clone of all of its branch alone.
ends() {
  local words=$1 wanted=$2 script=$3 branch=$4 status=0
  rm -rf "$work/tree" "$work/opt"
  mkdir "$work/opt"
  git clone -q --single-branch -b "$branch" "file://$work/upstream" "$work/tree"
  (cd "$work/tree" && export "${@:5}" && bash "$script") >"$work/output" 2>&1 || status=$?
  [[ -s $work/tree/pawl-out/gate/junit.xml && -s $work/tree/pawl-out/gate/report.md ]] || { echo 'no report' >>"$work/output"; status=none; }
  if [[ $status == "$wanted" ]]; then ok "$words"; else echo "status $status, not $wanted" >>"$work/output"; fail "$words"; fi
}

# shows WORDS PATTERN FILE: the last job's file has it.
shows() { if grep -q -- "$2" "$work/tree/pawl-out/gate/$3"; then ok "$1"; else fail "$1"; fi; }

request=(CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=7 CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
  CI_MERGE_REQUEST_TARGET_BRANCH_SHA= CI_DEFAULT_BRANCH=main CI_JOB_URL=https://gitlab.com/o/r/-/jobs/7)
any=(TARGET=main RUN=https://ci.example.com/7)
jenkins=(CHANGE_ID=7 CHANGE_TARGET=main BUILD_URL=https://ci.example.com/job/r/7/)

ends 'any system: a clean change passes' 0 "$work/any.sh" clean "${any[@]}"
shows 'any system: the report links to the run' 'href="https://ci.example.com/7"' report.html
ends 'any system: one that loosens its own gates fails' 1 "$work/any.sh" looser "${any[@]}"
ends 'Jenkins: one that loosens its own gates fails' 1 "$work/jenkins.sh" looser "${jenkins[@]}"
ends 'GitLab: a clean change passes' 0 "$work/gitlab.sh" clean "${request[@]}"
shows 'GitLab: it is compared with the merge base' '"mode": *"paired"' result.json
shows 'GitLab: the report links to the job' 'href="https://gitlab.com/o/r/-/jobs/7"' report.html
shows 'GitLab: the metrics are OpenMetrics' '^# EOF' metrics.txt
ends 'GitLab: one that loosens its own gates fails' 1 "$work/gitlab.sh" looser "${request[@]}"
shows 'GitLab: the failed gate is a failed test' '<failure' junit.xml
ends 'GitLab, the job of init: a larger one fails' 1 "$work/init.sh" larger "${request[@]}"
ends 'GitLab: the default branch passes' 0 "$work/gitlab.sh" main CI_PIPELINE_SOURCE=push CI_DEFAULT_BRANCH=main
shows 'GitLab: the default branch has metrics' '^# EOF' metrics.txt
[[ $failures -eq 0 ]]
