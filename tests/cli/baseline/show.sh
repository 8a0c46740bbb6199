# show and list print what is accepted, since when, by whom and why, as text and as JSON.

mk_quick a
mk_quick b
mk_repo
PAWL_USER=maintainer expect 0 baseline update --reason 'because | it must' a
expect 0 baseline list
has "$out" 'scenario' 'a ' maintainer 'because | it must'
expect 0 baseline list --json
jq -c '.baselines[] | [.scenario, .sessions, .by, .reason]' "$out"
expect 0 baseline show a
has "$out" 'a on ' 'session 1: ' 'by maintainer: because | it must' page-faults
expect 0 baseline show --json
jq -c '.baselines | length' "$out"
expect 2 baseline show b
cat "$err"
expect 2 baseline show ../scenarios
cat "$err"
