# Each header compiles alone: it includes all that it needs, so the order of includes does not matter.
# shellcheck shell=bash
set -eu

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Compiles a file per header, in one call of the compiler.
compile_alone() {
  local header n=0
  rm -f "$scratch"/*.c
  for header in "$@"; do echo "#include \"$header\"" >"$scratch/$((n += 1)).c"; done
  # shellcheck disable=SC2046
  ${CC:-cc} -std=gnu11 -D_GNU_SOURCE -Isrc -include base/banned.h -Wall -Wextra -Werror -fsyntax-only \
    $(pkg-config --cflags yaml-0.1 libcjson libdw libelf libpcre2-8 zlib) "$scratch"/*.c
}

echo 'struct whole { struct not_included part; };' >"$scratch/poor.h"
if compile_alone "$scratch/poor.h" 2>/dev/null; then echo 'a header without its includes was not found'; exit 1; fi

mapfile -t headers < <(find src -name '*.h' | sort)
compile_alone "${headers[@]/#src\//}"
