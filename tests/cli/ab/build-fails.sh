# A failed build is reported with its side, its last lines and its log. A result is written, and the tree is not reused. So
# is a commit that git cannot check out, with git's message.

mk_work_repo 0 0
printf 'echo this goes wrong\necho on both streams >&2\nexit 7\n' >build.sh
commit_all 'a build that fails'
git tag broken
git checkout -q base
expect 3 run work --base broken --no-profile
has "$err" 'base: ' ': the build failed' 'exited with status 7'
lacks "$err" 'this goes wrong'
has "$out" 'the build failed' 'on both streams'
(($(grep -c 'this goes wrong' "$out") == 1)) || fail 'the log is not quoted once'
head -n 1 "$out" | grep -F 'exited with status 7' >/dev/null || fail 'the headline does not say what failed'
log=$(grep -o '[^ ]*\.log' "$err" | head -n 1)
has "$log" 'this goes wrong' 'on both streams'
holds '.status == 3 and .scenarios[0].state == "failed" and (.scenarios[0].failure | contains("exited with status 7"))'
[[ -s pawl-out/latest/report.md ]] || fail 'no report'

# The next comparison builds it again.
expect 3 run work --base broken --no-profile
lacks "$err" 'using the kept build'

# If the head's commit does not build, its scenarios fail, regardless of the working tree.
echo 'target:' >scenarios/work.yaml
expect 3 run --base base --head broken --no-profile
has "$err" 'head: ' 'the build failed' 'exited with status 7'
holds '.status == 3 and (.scenarios | length) == 1 and .scenarios[0].name == "work" and .scenarios[0].state == "failed"'
holds '.scenarios[0] | (.failure | contains("exited with status 7")) and .path == "scenarios/work.yaml" and (.gates | length) == 1'
expect 3 run scenarios/work.yaml --base base --head broken --no-profile
holds '.status == 3 and .scenarios[0].state == "failed"'
git checkout -q scenarios
# A scenario that cannot be read is left out of the failure.
git checkout -q broken
echo 'target:' >scenarios/work.yaml
commit_all 'a build and a scenario that fail'
git tag both
git checkout -q base
expect 3 run --base base --head both --no-profile
holds '.status == 3 and .scenarios == [] and (.notes | any(contains("exited with status 7")))'

# The build fails in the working tree.
git checkout -q broken
expect 3 run work --base base --no-profile --runs 2
has "$err" 'head: the build failed' "$PWD" 'build-head.log'
has pawl-out/latest/build-head.log 'this goes wrong'

# The build command is missing. The status is 126 if a folder of PATH cannot be searched.
git checkout -q base
echo 'build: [no-such-builder, all]' >pawl.yaml
expect 3 run work --base base --no-profile --runs 2
grep -E 'exited with status 12[67]' "$err" >/dev/null || fail "not said: $(cat "$err")"
has "$out" 'no-such-builder' 'not found'

# The repository lost a file of the base.
git checkout -q pawl.yaml
blob=$(git rev-parse base:amount)
rm -rf ".git/objects/${blob:0:2}/${blob:2}" "$XDG_CACHE_HOME" "$BUILDS"
git worktree prune
for _ in 1 2; do
  expect 3 run work --base base --no-profile
  has "$err" 'base: ' "cannot check out $(git rev-parse --short=12 base)" 'git says: '
  holds '.status == 3 and .scenarios[0].state == "failed"'
done
[[ $(builds) -eq 0 && $(trees) -eq 0 ]] || fail 'something was built'
tidy || fail "left: $(ls -A "$TMPDIR")"
