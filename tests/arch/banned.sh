# A call of a banned function does not compile, and the message names the function. The Makefile
# includes the ban before every source file.
# shellcheck shell=bash
set -eu

grep -q -- '-include base/banned.h' Makefile || { echo 'the Makefile does not include base/banned.h'; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

compiles() {
  printf '%s\n' "void f(char *a, const char *b);" "void f(char *a, const char *b) { $1; (void)a; (void)b; }" >"$scratch/x.c"
  ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Isrc -include base/banned.h -Wall -Wextra -Werror -c -o "$scratch/x.o" "$scratch/x.c" \
    >"$scratch/said" 2>&1
}

compiles '(void)strlen(b)' || { echo 'a harmless call does not compile:'; cat "$scratch/said"; exit 1; }
while read -r name call; do
  if compiles "$call"; then
    echo "$name can be called"
    exit 1
  fi
  grep -q "banned_function_$name" "$scratch/said" || { echo "the message does not name $name:"; cat "$scratch/said"; exit 1; }
done <<'CALLS'
strcpy strcpy(a, b)
strcat strcat(a, b)
strncpy strncpy(a, b, 3)
sprintf sprintf(a, "%s", b)
vsprintf vsprintf(a, b, 0)
strtok strtok(a, b)
atoi (void)atoi(b)
atof (void)atof(b)
gmtime (void)gmtime(0)
localtime (void)localtime(0)
system (void)system(b)
CALLS
