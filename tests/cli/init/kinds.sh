# What stands in build files becomes the command that builds and the one that is measured.
. "$LIB"

# kind NAME: what init makes of the files in the folder NAME.
kind() {
  (cd "$1" && git init -q . && "$PAWL" init >"$out" 2>"$err") || { show_kept; fail "pawl init in $1"; }
  (cd "$1" && "$PAWL" check >"$out" 2>"$err") || { show_kept; fail "pawl check in $1"; }
  echo "== $1"
  (cd "$1" && grep -hE '^ *(name|setup|command|environment|requires|build|instructions):' scenarios/*.yaml pawl.yaml)
  (cd "$1" && grep -hE 'apt-get|pip' .github/workflows/pawl.yml || true)
}

mkdir -p rust/src/bin rust/tests/data
printf '[package]\nname = "sift"\n\n[[bin]]\nname = "sift-all"\npath = "src/bin/all.rs"\n' >rust/Cargo.toml
echo 'fn main() { std::io::stdin(); }' >rust/src/bin/all.rs
seq 10 >rust/tests/data/numbers.txt
kind rust

# With the crates in the project, each tree's own paths would be in its program.
mkdir -p vendored/.cargo vendored/src
printf '[package]\nname = "sift"\n' >vendored/Cargo.toml
printf '[source.crates-io]\nreplace-with = "vendored"\n[source.vendored]\ndirectory = "vendor"\n' >vendored/.cargo/config.toml
echo 'fn main() {}' >vendored/src/main.rs
kind vendored

mkdir -p workspace/crates/{core,cli}/src
printf '[workspace]\nmembers = [\n  "crates/core",\n  "crates/cli",\n]\n' >workspace/Cargo.toml
printf '[package]\nname = "core"\n' >workspace/crates/core/Cargo.toml
printf '[package]\nname = "sieve"\n' >workspace/crates/cli/Cargo.toml
echo 'pub fn f() {}' >workspace/crates/core/src/lib.rs
echo 'fn main() {}' >workspace/crates/cli/src/main.rs
kind workspace

mkdir -p go/cmd/wc go/internal
printf 'module example.org/wc\n' >go/go.mod
printf '// Counts.\npackage main\n\nimport "os"\n\nvar in = os.Stdin\n' >go/cmd/wc/main.go
printf 'package internal\n' >go/internal/x.go
echo words >go/README.md
kind go

mkdir -p cmake/src cmake/test
printf 'project(tool C)\nadd_subdirectory(src)\nadd_subdirectory(test) # add_executable(no no.c)\n' >cmake/CMakeLists.txt
printf 'set(PROGRAM "${PROJECT_NAME}_exe")\nadd_executable(${PROGRAM}\n  main.c)\nset_target_properties(${PROGRAM} PROPERTIES\n  OUTPUT_NAME "tool")\n' >cmake/src/CMakeLists.txt
printf 'add_executable(api_test api_test.c)\n' >cmake/test/CMakeLists.txt
echo '{}' >cmake/test/big.json
kind cmake

mkdir -p meson/build/cmake meson/src
printf "project('tool', 'c')\nsubdir('src')\n" >meson/meson.build
printf "executable(meson.project_name(), 'main.c')\n" >meson/src/meson.build
echo 'int main(void) { return 0; }' >meson/src/main.c
kind meson

mkdir -p autotools/src
touch autotools/configure.ac
printf 'SUBDIRS = src\n' >autotools/Makefile.am
printf 'bin_PROGRAMS = zip\nzip_SOURCES = zip.c\n' >autotools/src/Makefile.am
kind autotools

mkdir -p python/src/neat/sub
printf '[project]\nname = "neat"\n[project.scripts]\nneat-tool = "neat.cli:main"\n[tool.x]\na = "b:c"\n' >python/pyproject.toml
touch python/src/neat/__init__.py
printf 'def main():\n    pass\n' >python/src/neat/cli.py
kind python

# An interpreter gets less of it than a compiled program, and no large file where there is another.
mkdir -p python/tests/data
printf 'import sys\ndef main():\n    sys.stdin\n' >python/src/neat/cli.py
seq 20000 >python/tests/data/large.txt
seq 1000 >python/README.txt
rm -r python/scenarios
kind python

mkdir -p package/shapes
touch package/setup.py package/shapes/__init__.py package/shapes/__main__.py
kind package

mkdir -p node/bin
printf '{ "name": "@own/shapes", "bin": { "shape": "./bin/shape.js" }, "scripts": { "build": "x" } }' >node/package.json
echo 'process.stdin' >node/bin/shape.js
kind node

# A Makefile that only calls others is not what builds them.
mkdir -p both/src
printf '[package]\nname = "both"\n' >both/Cargo.toml
printf 'all: lint\nlint:\n\tcargo clippy\n' >both/Makefile
echo 'fn main() {}' >both/src/main.rs
printf '# both\n\n    $ ./both --fast data/in.bin\n    $ both nothing.txt\n' >both/README.md
mkdir both/data
echo 1 >both/data/in.bin
kind both
