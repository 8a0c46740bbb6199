# A step that no single pull request showed is found in an archive of results, with the commits that may have caused it.
export LC_ALL=C

mk_commits 30
# The 15th and 16th commits have no results.
# shellcheck disable=SC2046
mk_archive archive $(wobbly 10 14) - - $(wobbly 10.8 14)
expect 0 history --from archive
cat "$out"
lacks "$out" "${commits[0]:0:12}"
has "$out" "2026-10-17  ${commits[16]:0:12}" 'change 17' 'or one of the 2 commits before it'
LC_ALL=C.UTF-8 expect 0 history --from archive -v parse
has "$out" user-time $'\xe2\x96\x81\xe2\x96\x81'

expect 0 history --from archive -v
# The same archive is read from a branch without a checkout. The working tree does not change.
git checkout -q --orphan pawl-history
git add archive
git commit -qm results
git checkout -q main
[[ ! -e archive ]] || fail 'the archive is still there'
cp "$out" "$CASE_DIR/kept/folder"
expect 0 history --branch pawl-history -v
cmp "$out" "$CASE_DIR/kept/folder"
[[ -z $(git status --porcelain) ]] || fail 'the working tree changed'
# The same if the branch was only fetched.
git update-ref refs/remotes/origin/pawl-history pawl-history
git branch -qD pawl-history
expect 0 history --branch pawl-history -v
cmp "$out" "$CASE_DIR/kept/folder"
