# Files that git's filters change in a working tree do not count as edited: line ends, $Id$, large files.

git init -q .
printf 'pawl-out\n*.yaml text\nbaselines/** ident\nscenarios/b.yaml filter=upper\n' >.gitattributes
git config filter.upper.clean 'sed s/PROG/prog/'
git config filter.upper.smudge 'sed s/prog/PROG/'
git config core.autocrlf true
git config core.safecrlf false
mk_judged
sed 's/prog/prog/' scenarios/a.yaml >scenarios/b.yaml
printf '# $Id$\n' >>scenarios/b.yaml
commit_all 'two scenarios'
git update-ref refs/remotes/origin/main HEAD
git commit -q --allow-empty -m 'the change'
rm -r scenarios pawl.yaml
git checkout -q .
grep -q $'\r' scenarios/a.yaml && grep -q PROG scenarios/b.yaml || fail 'git converts nothing here'
pull 0 run a
lacks "$out" 'JUDGE EDITED'
judge_says 'this change edits none of them'
sed -i 's/runs: 3/runs: 4/' scenarios/b.yaml
pull 0 run a
judge_says 'this change edits scenarios/b.yaml: what judged'
