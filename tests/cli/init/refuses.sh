# What is there stays, links lead nowhere, and whoever has no program is told what to type.
. "$LIB"

refused() {
  expect 2 "$@"
  cat "$err"
}

# Nothing here yet: run says what to do, and so does init.
refused run
refused init
[[ -z $(ls -A) ]] || fail "something was written: $(ls -A)"

# A command that is named needs no build files; without git there is no workflow.
expect 0 init -- ./tool '--name=$HOME ${x} "it"' 'two words'
has "$out" 'git init && git add' 'not a git repository'
cat scenarios/tool.yaml pawl.yaml
expect 0 check
[[ ! -e .github ]] || fail 'a workflow without a repository'
expect 0 init 'sort < scenarios/tool.yaml | wc -l'
has "$out" 'left   scenarios/sort.yaml: scenarios/ has scenarios already' 'left   pawl.yaml: it is there already'
[[ $(grep -c pawl-out .gitignore) == 1 ]] || fail 'added to .gitignore twice'

# Links: to a file, to a folder, and a broken one; nothing is written before all were looked at.
git init -q .
rm -r scenarios pawl.yaml .gitignore
mkdir "$CASE_DIR/outside"
ln -s "$CASE_DIR/outside" .github
refused init ./tool
rm .github
ln -s "$CASE_DIR/outside/new" pawl.yaml
refused init ./tool
rm pawl.yaml
ln -s "$CASE_DIR/outside" scenarios
refused init ./tool
rm scenarios
ln -s "$CASE_DIR/outside/ignored" .gitignore
refused init ./tool
[[ -z $(ls -A "$CASE_DIR/outside") && ! -e scenarios && ! -e pawl.yaml ]] || fail 'something was written'
rm .gitignore

# In a folder below, the project is the repository, and a package of its own is one by itself.
mkdir -p src deep/er
touch Makefile src/Makefile
(cd src && "$PAWL" init) | head -n 3
[[ -e scenarios/project.yaml && ! -e src/scenarios ]] || fail 'not at the top'
echo '{ "name": "own" }' >deep/package.json
(cd deep/er && "$PAWL" init) | head -n 5
[[ -e deep/scenarios/deep.yaml ]] || fail 'not in the package'
rm -r .github
(cd deep && "$PAWL" init) | head -n 5
grep -A 1 -E 'run:|OWNER/' .github/workflows/pawl.yml
