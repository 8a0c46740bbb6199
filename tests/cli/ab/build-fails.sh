# A build that fails: its last lines and its log are told, with the side; a result is written; nothing is used again.
. "$LIB"

mk_work_repo 1
printf 'echo this goes wrong\necho on both streams >&2\nexit 7\n' >build.sh
commit_all 'a build that fails'
git tag broken
git checkout -q base
expect 3 ab work --base-ref broken --no-profile
has "$err" 'base: ' 'the build in' 'exited with status 7' 'this goes wrong' 'on both streams'
log=$(grep -o '[^ ]*\.log' "$err" | head -n 1)
has "$log" 'this goes wrong' 'on both streams'
holds '.status == 3 and .scenarios[0].state == "failed" and (.scenarios[0].failure | contains("exited with status 7"))'
[[ -s pawl-out/latest/report.md ]] || fail 'no report'

# It is built again the next time, not taken for good.
expect 3 ab work --base-ref broken --no-profile
lacks "$err" 'was built before'

# In the working tree.
git checkout -q broken
expect 3 ab work --base-ref base --no-profile --runs 2
has "$err" 'head: ' 'the build in' "$PWD" 'build-head.log'
has pawl-out/latest/build-head.log 'this goes wrong'

# A command that is not there.
git checkout -q base
echo 'build: [no-such-builder, all]' >pawl.yaml
expect 3 ab work --base-ref base --no-profile --runs 2
has "$err" 'no-such-builder' 'not found'
tidy || fail "left: $(ls -A "$TMPDIR")"
