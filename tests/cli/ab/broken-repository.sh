# A commit that git cannot check out ends with status 3 and git's message. No tree remains.

mk_work_repo 1
blob=$(git rev-parse base:amount)
rm -f ".git/objects/${blob:0:2}/${blob:2}"
expect 3 run work --base base --no-profile
has "$err" 'base: ' "cannot check out $(git rev-parse --short=12 base)" 'git says: '
holds '.status == 3 and .scenarios[0].state == "failed"'
[[ $(builds) -eq 0 ]] || fail 'something was built'
expect 3 run work --base base --no-profile
