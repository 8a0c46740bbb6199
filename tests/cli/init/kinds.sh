# init has one template per kind of project. `pawl check` accepts its files, and init runs no project code.
. "$LIB"

# kind NAME MARKER: prints what init writes into folder NAME, which contains the file MARKER.
kind() {
  mkdir -p "$1"
  touch "$1/$2"
  (cd "$1" && git init -q . && "$PAWL" init >"$out" 2>"$err") || { show_kept; fail "pawl init in $1"; }
  (cd "$1" && "$PAWL" check >"$out" 2>"$err") || { show_kept; fail "pawl check in $1"; }
  echo "== $2"
  (cd "$1" && grep -hE '^ *(name|command|environment|requires|build|instructions):' scenarios/*.yaml pawl.yaml)
  grep -q CHANGE "$1"/scenarios/*.yaml || fail 'nothing says what to change'
  sed -n '/- run/p' "$1/.github/workflows/pawl.yml"
}

kind sift Cargo.toml
kind wc go.mod
kind zip meson.build
kind tool CMakeLists.txt
kind neat pyproject.toml
kind neater setup.py
kind shape package.json
kind auto configure.ac
kind 'made here' Makefile
kind true GNUmakefile

# A Makefile that only calls cargo does not build the project. A crate of a workspace is built with the workspace.
touch sift/Makefile
mkdir -p sift/crates/core
touch sift/crates/core/Cargo.toml
rm -r sift/scenarios
(cd sift/crates/core && "$PAWL" init) | head -n 1
grep command sift/scenarios/sift.yaml
