# In every GitHub event that measures a contributor's change, the base judges.

mk_judged
slower
git checkout -qb change && commit_all 'the change, which is slower'
base=$(git rev-parse origin/main)
export GITHUB_EVENT_PATH=$CASE_DIR/event.json
# judged STATUS REF EVENT PAYLOAD [NAME=VALUE...]: pawl run ends with STATUS, judged by REF.
judged() {
  local status=$1 ref=$2
  printf '%s' "$4" >"$GITHUB_EVENT_PATH"
  (export GITHUB_EVENT_NAME="$3" "${@:5}"; expect "$status" run)
  [[ $(result '.judge.ref // "itself"') == "$ref" ]] || fail "$3: judged by $(result .judge), not by $ref"
}
pr='{"pull_request": {"base": {"ref": "main"}}}'
judged 1 origin/main pull_request '{}' GITHUB_BASE_REF=main
judged 1 origin/main pull_request_target '{}' GITHUB_BASE_REF=main
judged 1 origin/main pull_request_target "$pr"
judged 1 origin/main pull_request_review "$pr"
judged 1 origin/main pull_request_review_comment "$pr"
judged 1 "${base:0:12}" merge_group "{\"merge_group\": {\"base_sha\": \"$base\", \"base_ref\": \"refs/heads/main\"}}"
judged 1 origin/main merge_group '{"merge_group": {"base_sha": "--help", "base_ref": "refs/heads/main"}}'
judged 1 origin/main push '{}' GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-7-"$base"
judged 1 origin/main workflow_run '{"workflow_run": {"event": "pull_request", "pull_requests": [{"base": {"ref": "main"}}]}}'
judged 1 origin/main workflow_run \
  '{"workflow_run": {"event": "pull_request_target", "pull_requests": []}, "repository": {"default_branch": "main"}}'
judged 1 origin/main issue_comment '{"issue": {"pull_request": {"url": "x"}}, "repository": {"default_branch": "main"}}'
echo -- not anybody else\'s

judged 1 itself push '{}' GITHUB_REF=refs/heads/main GITHUB_SHA="$(git rev-parse HEAD)"
lacks "$out" 'not protected'
judged 1 itself workflow_run '{"workflow_run": {"event": "push"}}'
judged 1 itself issue_comment '{"issue": {"number": 1}}'
judged 1 itself schedule '{}'
echo -- checked out is what the event is not about
judged 1 itself workflow_dispatch '{}' GITHUB_SHA="$base"
has "$out" '  warning  JUDGE NOT PROTECTED'
judge_says 'not protected: the commit that is checked out is not the one that the job began with' '(GITHUB_EVENT_NAME is workflow_dispatch)'
echo -- the base is not told
for event in pull_request_review merge_group workflow_run; do
  echo 'no JSON' >"$GITHUB_EVENT_PATH"
  GITHUB_EVENT_NAME=$event expect 2 run
  has "$err" "GITHUB_EVENT_NAME is $event" 'name it with --judge REF'
done
echo -- what would run is the base\'s too
rm scenarios/a.yaml
GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main expect 0 check
has "$out" 'scenarios/a.yaml'
echo -- accepting is not judging, which is said
git checkout -q scenarios
GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main expect 0 baseline update --reason slower
has "$err" "GITHUB_EVENT_NAME is pull_request, an unmerged change" 'takes effect once it is merged'
