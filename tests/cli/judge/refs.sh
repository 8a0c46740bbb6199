# A tag named like the base branch, or a replacement of the base's object, does not judge.

mk_judged
base=$(git rev-parse HEAD)
git checkout -qb change
slower
sed -i 's/50%/900%/' pawl.yaml
commit_all 'slower, and looser'
change=$(git rev-parse HEAD)
judged() { holds ".judge | .ref == \"origin/main\" and .commit == \"$base\""; }

git tag origin/main
pull 1 run
judged
expect 2 run --judge origin/main
has "$err" "--judge: 'origin/main' is ambiguous: refs/tags/origin/main (${change:0:12}) or refs/remotes/origin/main (${base:0:12})" \
  'give the full name'
expect 2 run a --base origin/main~0
has "$err" '--base: ' 'ambiguous'
expect 1 run --judge refs/remotes/origin/main
judged
git tag -f origin/main "$base" >/dev/null
expect 1 run --judge origin/main # two names of one commit
judged
git tag -d origin/main >/dev/null
echo -- a replaced commit and a replaced tree
git replace "$base" "$change"
pull 1 run
judged
git replace -d "$base" >/dev/null
git replace "$(git rev-parse "$base^{tree}")" "$(git rev-parse "$change^{tree}")"
pull 1 run
judged
git replace -d "$(git replace)" >/dev/null
echo -- a full name means itself alone
git update-ref -d refs/remotes/origin/main
git tag refs/remotes/origin/main
pull 2 run
has "$err" "unknown revision 'refs/remotes/origin/main'"
