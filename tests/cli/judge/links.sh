# Links and submodules in the base's tree are followed if possible, and otherwise refused by name.

mk_judged
base() {
  commit_all "$1"
  git update-ref refs/remotes/origin/main HEAD
}
start=$(git rev-parse HEAD)
again() {
  git reset -q --hard "$start"
  git clean -qfdx -e pawl-out
}
regresses() {
  slower
  pull 1 run
  holds '.scenarios[0].gates[0].tolerance_pct == 50 and .scenarios[0].name == "a"'
}
refused() {
  rm -rf pawl-out
  pull 2 run
  has "$err" "$1" "$2"
  nothing_measured
}
echo -- folders
mkdir bench && git mv scenarios bench/gates && git mv baselines bench/accepted
ln -s bench/gates scenarios && ln -s ./bench/../bench/accepted baselines
base folders
regresses
echo -- one file, and another behind it
again
git mv scenarios/a.yaml real.yaml
ln -s ../real.yaml scenarios/next.yaml && ln -s next.yaml scenarios/a.yaml
sed -i '1a name: a' real.yaml
base file
slower
pull 2 run
has "$err" "two scenarios are called 'a'"
rm scenarios/next.yaml && ln -sf ../real.yaml scenarios/a.yaml
base file
regresses
echo -- out of the repository, nowhere, in a circle
again
ln -sf /etc/hostname scenarios/a.yaml
base out
refused 'scenarios/a.yaml' 'is a symbolic link that leaves the repository'
ln -sf ../../../../hostname scenarios/a.yaml
base out
refused 'scenarios/a.yaml' 'leaves the repository'
ln -sf ../gone.yaml scenarios/a.yaml
base nowhere
refused 'scenarios/a.yaml' 'is a symbolic link that leads nowhere'
ln -sf b.yaml scenarios/a.yaml && ln -sf a.yaml scenarios/b.yaml
base circle
refused 'scenarios/a.yaml' 'leads in a circle'
again
git rm -rq baselines && ln -s elsewhere baselines
base 'no baselines'
refused 'baselines of ' 'is a symbolic link that leads nowhere'
echo -- a submodule
again
git init -q ../module && cp -r scenarios/a.yaml ../module
git -C ../module add -A && git -C ../module commit -qm module
git rm -rq scenarios
git -c protocol.file.allow=always submodule add -q "$CASE_DIR/module" scenarios 2>/dev/null
base module
refused "scenarios of " "is a submodule, whose files are in another repository"
