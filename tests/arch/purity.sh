# Pure files turn bytes into values: their objects call no function that does input or output. The files of these
# folders are pure, and so are parsers that live next to their callers.
# The list has the allowed functions, so that the test finds every function not known to be harmless.
# shellcheck shell=bash
set -eu

pure=(base stats model model/metrics model/source scenario scenario/harness profile profile/formats judge cause cause/ledger cause/readers store report report/formats)
parsers=(measure/machine/cpuinfo measure/perf/perf_csv measure/process/proc measure/services/replies measure/git/diff measure/perf/execs)
allowed='
  abort calloc free malloc realloc
  mem[a-z]* str[a-z_]* stpcpy bcmp snprintf vsnprintf
  qsort qsort_r bsearch tsearch tfind tdestroy __ctype_[a-z_]* to(lower|upper) __errno_location newlocale freelocale
  gmtime_r timegm
  (sin|cos|tan|sincos) erfc? exp[a-z0-9]* log[a-z0-9]* pow sqrt fabs fm(in|ax|od) floor ceil l?l?round nearbyint trunc isnan finite
  __(isnan|isinf|finite|fpclassify|signbit)
  cJSON_[A-Za-z]* yaml_[a-z_]* deflate[A-Za-z0-9_]* pcre2_[a-z0-9_]* (cplus|rust|dlang|ada)_demangle[a-z_0-9]* _?setjmp longjmp
  __stack_chk_fail _GLOBAL_OFFSET_TABLE_ __(asan|ubsan|gcov|sanitizer|llvm)_[a-zA-Z0-9_.]* __tls_get_addr
'
# Functions of libyaml that read or write files.
forbidden='yaml_(parser|emitter)_set_(input|output)_file'

pattern=$(tr -s ' \n' '|' <<<"$allowed" | sed 's/^|//; s/|$//')

# foreign OBJECT...: prints a line OBJECT SYMBOL for each call that is not allowed. Symbols are compared without the
# additions of _FORTIFY_SOURCE and C23, and without the version after @.
foreign() {
  nm -A --defined-only "$@" | awk 'NF >= 3 { print $NF }' >"$scratch/own"
  nm -A --undefined-only "$@" | awk '{ sub(/:.*/, "", $1); print $1, $NF }' |
    awk 'FNR == NR { own[$1]; next } !($2 in own)' "$scratch/own" - |
    sed -E 's/@.*//; s/ __isoc(99|23)_/ /; s/ __(.*)_chk$/ \1/' |
    awk -v allowed="^($pattern)\$" -v forbidden="^($forbidden)\$" '$2 !~ allowed || $2 ~ forbidden' |
    sed "s|^$B/||; s| |: calls |"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
objects=()
for folder in "${pure[@]}"; do
  for object in "$B/$folder"/*.o; do
    # A build folder keeps objects of removed sources.
    source=src/$folder/$(basename "$object" .o).c
    [[ ! -f $source ]] || objects+=("$object")
  done
done
for parser in "${parsers[@]}"; do
  [[ -f $B/$parser.o ]] || { echo "there is no $parser.o: it is on the list of pure files"; exit 1; }
  objects+=("$B/$parser.o")
done
[[ ${#objects[@]} -gt 20 ]] || { echo "too few objects in $B: ${#objects[@]}"; exit 1; }
found=$(foreign "${objects[@]}")

# Checks the test itself: it must find each of these.
for call in 'open("x", 0)' 'fopen("x", "r")' 'fork()' 'read(0, 0, 0)' 'write(1, "", 0)' 'getenv("X")' \
  'clock_gettime(0, 0)' 'printf("%d", 1)' 'fprintf(stderr, "x")' 'puts("x")' 'time(0)' 'exit(1)' 'getpid()'; do
  printf '%s\n' '#include <fcntl.h>' '#include <stdio.h>' '#include <stdlib.h>' '#include <time.h>' '#include <unistd.h>' \
    "void f(void);" "void f(void) { (void)$call; }" >"$scratch/x.c"
  ${CC:-cc} -w -O0 -c -o "$scratch/x.o" "$scratch/x.c"
  [[ -n $(foreign "$scratch/x.o") ]] || { echo "a call of $call was not found"; exit 1; }
done
[[ -z $found ]] || { echo "$found"; exit 1; }
