# In every CI system that pawl knows, the base judges an unmerged change.

mk_judged
slower
git checkout -qb change && commit_all 'the change, which is slower'
base=$(git rev-parse origin/main)
# judged STATUS REF NAME=VALUE...: pawl run ends with STATUS, judged by REF.
judged() {
  (export "${@:3}"; expect "$1" run)
  [[ $(result '.judge.ref // "itself"') == "$2" ]] || fail "$*: judged by $(result .judge), not by $2"
}
echo -- GitLab
request=(CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=7)
named=CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main
judged 1 origin/main "${request[@]}" "$named" CI_MERGE_REQUEST_TARGET_BRANCH_SHA=
judged 1 "${base:0:12}" "${request[@]}" "$named" CI_MERGE_REQUEST_TARGET_BRANCH_SHA="$base"
judged 1 origin/main "${request[@]}" "$named" CI_MERGE_REQUEST_TARGET_BRANCH_SHA=--help
judged 1 origin/main CI_PIPELINE_SOURCE=merge_request_event "$named"
judged 1 origin/main CI_PIPELINE_SOURCE=parent_pipeline CI_MERGE_REQUEST_IID=7 "$named"
judged 1 origin/main CI_PIPELINE_SOURCE=external_pull_request_event CI_EXTERNAL_PULL_REQUEST_IID=7 \
  CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME=main
judged 1 itself CI_PIPELINE_SOURCE=push CI_COMMIT_SHA="$(git rev-parse HEAD)"
lacks "$out" 'not protected'
judged 1 itself CI_PIPELINE_SOURCE=web CI_COMMIT_SHA="$base"
judge_says 'not protected: the commit that is checked out' '(CI_PIPELINE_SOURCE is web)'
echo -- Jenkins
judged 1 origin/main CHANGE_ID=7 CHANGE_TARGET=main BUILD_URL=https://ci.example.com/job/x/7/
[[ $(result .ci_run) == https://ci.example.com/job/x/7/ ]] || fail "the run is $(result .ci_run)"
echo -- any
judged 1 origin/main PAWL_JUDGE=origin/main PAWL_RUN_URL=https://ci.example.com/7 BUILD_URL=https://other.example.com/
[[ $(result .ci_run) == https://ci.example.com/7 ]] || fail "the run is $(result .ci_run)"
judged 1 "${base:0:12}" PAWL_JUDGE="$base" PAWL_RUN_URL='javascript:alert(1)'
[[ $(result .ci_run) == null ]] || fail "the run is $(result .ci_run)"
echo -- edits of what judges
echo 'gates: { page-faults: +900% }' >pawl.yaml
commit_all looser
judged 1 origin/main "${request[@]}" "$named"
has "$out" '  warning  JUDGE EDITED'
judge_says 'pawl.yaml'
echo -- the base is built and compared with, where its pawl.yaml says how
git checkout -q main && echo 'build: "true"' >>pawl.yaml && commit_all build && git update-ref refs/remotes/origin/main HEAD
git checkout -q change && git rebase -q main -X theirs
(export "${request[@]}" "$named"; expect 1 run --runs 2 --no-explain)
holds '.mode == "paired" and .judge.ref == "origin/main"'
judged 1 origin/main "${request[@]}" "$named" PAWL_BASE=none
holds '.mode != "paired"'
echo -- the base is not told, or not here
CI_PIPELINE_SOURCE=merge_request_event expect 2 run
has "$err" 'CI_PIPELINE_SOURCE is merge_request_event' 'the base is not in CI_MERGE_REQUEST_TARGET_BRANCH_NAME' 'name it with --judge REF'
CHANGE_ID=7 expect 2 run
has "$err" 'CHANGE_ID is 7' 'not in CHANGE_TARGET'
CHANGE_ID=7 CHANGE_TARGET=gone expect 2 run
has "$err" 'CHANGE_ID is 7, so that its base judges' 'origin/gone' 'git fetch'
PAWL_JUDGE=gone expect 2 run
has "$err" 'PAWL_JUDGE is gone'
