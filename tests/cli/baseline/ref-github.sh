# In a GitHub pull request the base branch judges without an option.

mk_quick a
expect 0 baseline update --reason first
mk_repo
git update-ref refs/remotes/origin/main HEAD
mk_quick a 'true and again'
commit_all 'edit the scenario'
GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main expect 0 run
holds '.scenarios[0].settings.command[2] == "true" and .judge.ref == "origin/main"'
has "$out" 'this change edits scenarios/a.yaml'
GITHUB_EVENT_NAME=push expect 0 run
holds '.scenarios[0].settings.command[2] == "true and again"'
