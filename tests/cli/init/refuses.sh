# init keeps existing files and does not follow links. Without a program it says what to type.

# In an empty folder run and init both say what to do.
refused run
refused init
[[ -z $(ls -A) ]] || fail "something was written: $(ls -A)"

# With a command no build files are needed. Without git no workflow is written.
expect 0 init -- ./tool '--name=$HOME ${x} "it"' 'two words'
has "$out" 'git init && git add' 'not a git repository'
cat scenarios/tool.yaml pawl.yaml
expect 0 check
[[ ! -e .github ]] || fail 'a workflow without a repository'
expect 0 init 'sort < scenarios/tool.yaml | wc -l'
has "$out" 'left   scenarios/sort.yaml: scenarios/ has scenarios already' 'left   pawl.yaml: it is there already'
[[ $(grep -c pawl-out .gitignore) == 1 ]] || fail 'added to .gitignore twice'

# Links to a file, to a folder, and a broken one. init checks all paths before it writes.
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

# In a subfolder the project is the repository. A package of its own is a separate project.
mkdir -p src deep/er
echo "program:" | tee Makefile >src/Makefile
(cd src && "$PAWL" init) | head -n 3
[[ -e scenarios/program.yaml && ! -e src/scenarios ]] || fail 'not at the top'
echo '{ "name": "own", "main": "x.js" }' >deep/package.json
(cd deep/er && "$PAWL" init) | head -n 5
[[ -e deep/scenarios/deep.yaml ]] || fail 'not in the package'
rm -r .github
(cd deep && "$PAWL" init) | head -n 5
grep -A 1 -E 'run:|OWNER/' .github/workflows/pawl.yml
