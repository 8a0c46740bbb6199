# Shared by the parts of bench.sh: a working folder, samples of pawl and its keeper, rows of output.
# shellcheck shell=bash

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
[[ -x $PAWL ]] || { echo "bench: there is no $PAWL: build it with 'make'" >&2; exit 2; }
unset "${!GITHUB_@}" "${!PAWL_@}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit
echo 'profile: { kinds: [] }' >pawl.yaml
mkdir scenarios

# sample.sh KEEPER FILE [COUNT]: writes COUNT lines, one a second: the time, the CPU time of pawl and of
# the keeper (nanoseconds), their peak memory (KiB), and the bytes that pawl has read. The keeper is the
# parent of a scenario's command, and pawl is the parent of the keeper.
cat >sample.sh <<'SH2'
keeper=$1 file=$2 count=${3:-1}
pawl=$(sed -n 's/^PPid:\t//p' "/proc/$keeper/status")
peak() { sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status"; }
cpu() { cut -d' ' -f1 "/proc/$1/schedstat"; }
while :; do
  echo "$(date +%s%N) $(cpu "$pawl") $(cpu "$keeper") $(peak "$pawl") $(peak "$keeper")" \
    "$(sed -n 's/^rchar: //p' "/proc/$pawl/io")" >>"$file"
  count=$((count - 1))
  [ "$count" -gt 0 ] || break
  sleep 1
done
SH2

# scenario NAME <<YAML: writes a scenario; adds `version: 1`.
scenario() { { echo 'version: 1'; cat; } >"scenarios/$1.yaml"; }

# measured OUT NAME...: runs the scenarios; shows pawl's output if that fails.
measured() {
  local out=$1
  shift
  "$PAWL" run -q "$@" --out "out-$out" >"out-$out.txt" || { cat "out-$out.txt"; exit 3; }
}

# middle: prints the median, the smallest and the largest number of standard input.
middle() { sort -g | awk '{ v[NR] = $1 } END { if (NR) print v[int(NR / 2) + 1], v[1], v[NR] }'; }

status=0
# row WORDS UNIT LIMIT VALUE [SMALLEST LARGEST]: prints a row. LIMIT may be "none".
row() {
  local verdict=ok spread='' limit
  [[ ${4:-} =~ ^[0-9]+(\.[0-9]+)?(e-[0-9]+)?$ ]] || { echo "bench: $1 was not measured" >&2; exit 3; }
  [[ $# -lt 6 ]] || spread=$(printf '(%.4g to %.4g)' "$5" "$6")
  if [[ $3 == none ]]; then
    limit='' verdict=''
  else
    limit=$(printf 'limit %g %s' "$3" "$2")
    if awk "BEGIN { exit !($4 > $3) }"; then verdict=OVER status=1; fi
  fi
  printf '%-46s %9.3f %-4s %-20s %-14s  %s\n' "$1" "$4" "$2" "$spread" "$limit" "$verdict" | sed 's/ *$//'
}
