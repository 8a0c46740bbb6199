#!/bin/bash
# Runs the fuzz harnesses: one per parser, and one for all renderers.
#
#   run.sh [SECONDS [NAME...]]   libFuzzer with sanitizers, SECONDS each (10), on a copy of the corpus
#   run.sh --corpus [NAME...]    every file of the corpus once, with the compiler that built pawl
#
# B is the build folder that --corpus links with (default build/release). Inputs that make a
# harness fail are kept in build/fuzz/.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"

seconds=10 corpus=''
case ${1:-} in
  --corpus) corpus=1; shift ;;
  '') ;;
  *[!0-9]*) echo "usage: run.sh [SECONDS | --corpus] [NAME...]" >&2; exit 2 ;;
  *) seconds=$1; shift ;;
esac
names=("$@")
if [[ ${#names[@]} -eq 0 ]]; then
  for file in "$here"/fuzz_*.c; do file=${file##*/fuzz_}; names+=("${file%.c}"); done
fi

cflags="-std=gnu11 -D_GNU_SOURCE -Isrc -include base/banned.h -g"
libs="$(pkg-config --libs yaml-0.1 libcjson libdw libelf libpcre2-8 zlib) -liberty -lm"

# seeds NAME: copies them to the empty folder $work/corpus, unpacked if xz is installed.
seeds() {
  rm -rf "$work/corpus"
  # shellcheck disable=SC2046
  mkdir "$work/corpus" && cp -r --parents $(folders "$1") "$work/corpus"
  ! command -v xz >/dev/null || find "$work/corpus" -name '*.xz' -exec xz -d {} +
}

# folders NAME: prints the folders and files of the harness's first inputs: its own seeds and files of other tests.
folders() {
  local fixtures=tests/fixtures
  [[ ! -d tests/fuzz/corpus/$1 ]] || echo "tests/fuzz/corpus/$1"
  case $1 in
    callgrind) echo $fixtures/callgrind ;;
    folded) echo $fixtures/profiles ;;
    script) echo $fixtures/profiles $fixtures/perf-traps ;;
    heap) echo $fixtures/heap $fixtures/profiles ;;
    offcpu | strace) echo "$fixtures/$1" ;;
    result) echo $fixtures/result.json ;;
    perf_csv) echo $fixtures/perf-stat $fixtures/perf-stat-hw/* ;;
  esac
}

run_corpus() {
  local b=${B:-build/release} name sanitize=''
  [[ -f $b/libpawl.a ]] || { echo "there is no $b/libpawl.a: build it with 'make'"; exit 1; }
  # Objects with sanitizers link only with the sanitizers' own library.
  if nm "$b/libpawl.a" 2>/dev/null | grep ' U __asan_init' >/dev/null; then sanitize=-fsanitize=address,undefined; fi
  if nm "$b/libpawl.a" 2>/dev/null | grep ' U __gcov_' >/dev/null; then sanitize=--coverage; fi
  mkdir -p "$b/fuzz"
  for name in "${names[@]}"; do
    seeds "$name"
    # shellcheck disable=SC2086
    ${CC:-cc} $cflags $sanitize -o "$b/fuzz/$name" "tests/fuzz/fuzz_$name.c" tests/fuzz/driver.c "$b/libpawl.a" $libs
    find "$work/corpus" -type d -exec "$b/fuzz/$name" {} +
  done
}

can_fuzz() {
  echo 'int LLVMFuzzerTestOneInput(const char *d, long n); int LLVMFuzzerTestOneInput(const char *d, long n) { return !d && n; }' |
    clang -x c -fsanitize=fuzzer,address -o "$1/probe" - >"$1/said" 2>&1
}

# fuzz NAME: runs a harness and prints one line; its complete output is in build/fuzz/NAME.log.
fuzz() {
  local out=$PWD/build/fuzz status=0
  seeds "$1"
  # shellcheck disable=SC2086
  clang $cflags -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -o "$out/$1" \
    "tests/fuzz/fuzz_$1.c" "$out/lib/libpawl.a" $libs
  "$out/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$out/$1-" "$work/corpus" >"$out/$1.log" 2>&1 || status=$?
  if [[ $status -eq 0 ]]; then
    echo "ok    fuzz/$1: $(sed -n 's/^stat::number_of_executed_units: *//p' "$out/$1.log") inputs in $seconds s"
    return
  fi
  echo "FAIL  fuzz/$1: status $status; the input is in ${out#"$root"/}/$1-*"
  tail -n 40 "$out/$1.log" | sed 's/^/      | /'
  return 1
}

run_fuzzers() {
  local name failed=0
  if ! can_fuzz "$work"; then
    echo "skip  fuzz: clang with libFuzzer is not installed ($(head -n 1 "$work/said"))"
    return
  fi
  mkdir -p build/fuzz
  make -s -j"$(nproc)" B=build/fuzz/lib CC=clang OPTIMISE='-O1 -g' \
    CFLAGS='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' build/fuzz/lib/libpawl.a >"$work/build" 2>&1 ||
    { cat "$work/build"; exit 1; }
  for name in "${names[@]}"; do fuzz "$name" || failed=$((failed + 1)); done
  echo "$((${#names[@]} - failed)) passed, $failed failed"
  [[ $failed -eq 0 ]]
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [[ -n $corpus ]]; then run_corpus; else run_fuzzers; fi
