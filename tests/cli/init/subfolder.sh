# The commands that init prints work as they are: from a subfolder, and in a project below the top of its repository.

git init -q .
mkdir -p tools/wc/src/deep
touch tools/wc/go.mod
echo "package main" >tools/wc/x.go
cd tools/wc/src/deep || fail 'no folder'
expect 0 init
has "$out" '  cd ../..' '  git add -A :/.github scenarios pawl.yaml .gitignore'
# All lines but those that build, measure or compare.
sed -n 's/^  \(cd [./]*\) .*/\1/p; s/^  git add/git add/p' "$out" >"$CASE_DIR/lines"
# shellcheck disable=SC1091
. "$CASE_DIR/lines" >/dev/null || fail 'a line of init failed'
git show --name-only --format= | LC_ALL=C sort
[[ -z $(git status --porcelain --untracked-files=no) ]] || fail 'not everything was committed'
