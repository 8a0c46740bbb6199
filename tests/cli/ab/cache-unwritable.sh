# If no cache can be written, a tree lasts as long as the comparison, and git forgets it afterwards.

mk_work_repo 0 0
compare() { expect 0 run work --base base --no-profile --runs 1; }
for where in unwritable none relative; do
  case $where in
    unwritable) export XDG_CACHE_HOME=/dev/null/cache ;;
    none) unset XDG_CACHE_HOME HOME ;;
    relative) export XDG_CACHE_HOME=cache ;;
  esac
  compare
  lacks "$err" 'using the kept build'
  has "pawl-out/latest/build-$(git rev-parse --short=12 base).log" 'building in'
  [[ $(git worktree list | wc -l) -eq 1 ]] || fail "$where: $(git worktree list)"
  tidy || fail "$where: left: $(ls -A "$TMPDIR")"
done
[[ ! -e cache ]] || fail 'a relative XDG_CACHE_HOME was used'
export HOME=$CASE_DIR/home XDG_CACHE_HOME=/dev/null/cache
git config user.name A
git config user.email a@example.com
sed -i 's/^echo built.*/exit 5/' build.sh
commit_all 'a build that fails'
git tag broken
git checkout -q base
expect 3 run work --base broken --no-profile
has "pawl-out/latest/build-$(git rev-parse --short=12 broken).log" 'building in'
[[ $(git worktree list | wc -l) -eq 1 ]] || fail "$(git worktree list)"
