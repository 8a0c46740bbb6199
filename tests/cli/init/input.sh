# A program that reads a file or standard input, by its source, gets an input. Another one, or a number, does not.

# reads NAME SOURCE: prints the setup and the command that init writes for a program of SOURCE.
reads() {
  mkdir "$1"
  printf '%s' "$2" >"$1/main.c"
  printf 'prog: main.c\n' >"$1/Makefile"
  echo '# A program' >"$1/README.md"
  (cd "$1" && "$PAWL" init >"$out" 2>"$err" && "$PAWL" check >>"$out" 2>"$err") || { show_kept; fail "pawl init in $1"; }
  echo "== $2"
  (cd "$1" && grep -hE '^(setup:|  command:)' scenarios/*.yaml)
}

reads file 'int main(int argc, char **argv) { fopen(argv[1], "r"); }'
reads both 'int main(int argc, char **argv) { argc > 1 ? fopen(argv[1], "r") : stdin; }'
reads stdin 'int main(void) { getchar(); }'
reads number 'int main(int argc, char **argv) { return atoi(argv[1]); }'
reads nothing 'int main(void) { return 0; }'
rm file/README.md file/scenarios/*
(cd file && "$PAWL" init >"$out" 2>"$err" && grep -h '^setup:' scenarios/*.yaml)
