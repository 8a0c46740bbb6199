# init finds the program in the build files of each kind of project, or says that there is none. `pawl check` accepts its
# files, and init runs no project code.

# put PATH <<TEXT: makes a file in the next project.
put() {
  mkdir -p "next/$(dirname "$1")"
  cat >"next/$1"
}

# kind NAME: prints what init writes into the project, which becomes the folder NAME.
kind() {
  mv next "$1"
  (cd "$1" && git init -q . && "$PAWL" init >"$out" 2>"$err") || { show_kept; fail "pawl init in $1"; }
  (cd "$1" && "$PAWL" check >"$out" 2>"$err") || { show_kept; fail "pawl check in $1"; }
  echo "== $1"
  (cd "$1" && grep -hE '^ *(name|command|environment|requires|build|(# )?instructions):' scenarios/*.yaml pawl.yaml)
  grep -q CHANGE "$1"/scenarios/*.yaml || fail 'nothing says what to change'
  sed -n '/- run/p' "$1/.github/workflows/pawl.yml"
}

put Cargo.toml <<<$'[package]\nname = "sift"\nedition = "2021"'
put src/main.rs <<<'fn main() {}'
kind rust
put Cargo.toml <<<$'[workspace]\nmembers = ["crates/*"]'
put crates/core/Cargo.toml <<<$'[package]\nname = "core"'
put crates/tool/Cargo.toml <<<$'[package]\nname = "tool-package"\n\n[[bin]]\nname = "tool"\npath = "main.rs"'
kind workspace
put go.mod <<<'module example.org/wc'
put wc.go <<<$'// Package main counts.\npackage main'
put gen.go <<<$'//go:build ignore\n\npackage main'
kind go-root
put go.mod <<<'module example.org/tools'
put lib.go <<<'package tools'
put cmd/wc/main.go <<<'package main'
kind go-cmd
put meson.build <<<$'project(\'z\', \'c\')\nsubdir(\'src\')'
put src/meson.build <<<$'executable(\'test-zip\', \'t.c\')\nexecutable(\'zip\', \'zip.c\')'
kind meson
put CMakeLists.txt <<<$'project(tool C)\nadd_executable(${PROJECT_NAME} tool.c)'
kind cmake
put CMakeLists.txt <<<$'set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)\nadd_executable(tool tool.c)'
kind cmake-bin
put pyproject.toml <<<$'[project.scripts]\nneat = "neat.cli:main"'
kind scripts
put pyproject.toml <<<$'[project]\nname = "neat"'
put src/neat/__main__.py <<<'print()'
put src/neat/__init__.py </dev/null
kind module
put setup.py <<<$'setup(name="neat")'
put neat.py <<<$'if __name__ == "__main__":\n    print()'
kind script
put package.json <<<'{ "name": "shape", "bin": { "shape": "./lib/cli.js" } }'
kind node-bin
put package.json <<<'{ "name": "shape", "scripts": { "start": "node app.js" }, "main": "x.js" }'
kind node-start
put package.json <<<'{ "name": "shape" }'
put index.js <<<'console.log(1)'
kind node-index
put configure.ac </dev/null
put src/Makefile.am <<<'bin_PROGRAMS = auto'
kind autotools
put Makefile <<<$'PROG = count\nall: $(PROG)\n$(PROG): count.o\n\t$(CC) -o $@ count.o'
kind 'made here'
put GNUmakefile <<<$'.PHONY: all\nall: bin/true\nbin/true: true.c\n\tcc -o $@ true.c'
kind all
put makefile <<<$'x.o: x.c\n\tcc -c -o x.o x.c\nprog: x.o\n\tcc -o prog x.o'
kind rule
put CMakeLists.txt <<<$'add_library(z z.c)'
put Makefile <<<$'default: z.elf\nz.o: z.c\n\t$(CC) -c -o $@ $<\nz.elf: z.o\n\t$(LD) -o $@ $^'
kind library-and-makefile

# A library has no program.
put Cargo.toml <<<$'[package]\nname = "lib"'
put src/lib.rs </dev/null
(cd next && git init -q . && expect 2 init && cat "$err" && expect 0 init 'cargo run --example x') || exit 99

# A Makefile that only calls cargo does not build the project. A crate of a workspace is built with the workspace.
touch workspace/Makefile
rm -r workspace/scenarios
(cd workspace/crates/core && "$PAWL" init) | head -n 1
grep command workspace/scenarios/tool.yaml

# The kind of a typed command is the one whose build puts the program there. A shell's word and an interpreter are no names.
typed() {
  mv next "$1"
  (cd "$1" && "$PAWL" init "$2" >"$out" 2>"$err") || { show_kept; fail "pawl init $2"; }
  echo "== $1: $2"
  (cd "$1" && grep -hE '^ *(name|build):' scenarios/*.yaml pawl.yaml)
}
rm -r next
put CMakeLists.txt <<<$'add_executable(zip zip.c)'
put Makefile <<<$'unzip: unzip.c'
typed both './unzip x'
put CMakeLists.txt <<<$'add_executable(zip zip.c)'
put Makefile <<<$'unzip: unzip.c'
typed cmake-typed 'build/zip x'
put setup.py <<<$'setup(name="neat")'
put neat.py <<<$'if __name__ == "__main__":\n    print()'
typed neat 'python3 -m neat x'
put Makefile <<<$'PROG = count'
typed word 'for i in 1 2; do ./count; done'
