# Ends between which nothing can be searched are told before anything is built or measured.
. "$LIB"
mk_quick small
mk_repo
for i in 1 2; do git commit -q --allow-empty -m "change $i"; done
git checkout -q -b side HEAD~2
git commit -q --allow-empty -m 'beside'
git checkout -q main
base=$(git rev-parse --short=12 HEAD~2)

refused() {
  local words=$1
  shift
  expect 2 bisect "$@"
  has "$err" "$words"
}

refused '--good REF is missing' small
refused 'takes one scenario, found 0' --good HEAD~1
refused 'takes one scenario, found 2' small small --good HEAD~1
refused '--good HEAD and --bad HEAD are the same commit' small --good HEAD
refused "unknown revision 'nowhere'" small --good nowhere
refused "unknown revision 'nowhere'" small --good HEAD~1 --bad nowhere
refused "is no name of a commit" small --good -x
refused "both come from $base, which may be the good one" small --good side --bad main
refused '--bad HEAD~2 is an ancestor of --good HEAD; were they exchanged?' small --good HEAD --bad HEAD~2
refused "there is no scenario" missing --good HEAD~1
refused "--floor: expected a percentage" small --good HEAD~1 --floor 90%
nothing_measured

git checkout -q --orphan alone
git commit -q --allow-empty -m 'alone'
refused 'have no common ancestor' small --good main --bad alone
nothing_measured
