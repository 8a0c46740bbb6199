# The program is built with hardening against exploits.
# shellcheck shell=bash
set -eu

program=${B:-build/release}/pawl
[[ ${program%/pawl} == */release ]] || { echo 'only of the release variant'; exit 77; }
command -v readelf >/dev/null || { echo 'readelf is not installed'; exit 77; }

readelf -W -h -l -d -n "$program" >"${TMPDIR:-/tmp}/pawl-elf.$$"
trap 'rm -f "${TMPDIR:-/tmp}/pawl-elf.$$"' EXIT
has() { grep -Eq -- "$1" "${TMPDIR:-/tmp}/pawl-elf.$$" || { echo "$program: $2"; exit 1; }; }

has 'Type: +DYN' 'is not position independent'
has 'GNU_RELRO' 'has no RELRO'
has 'BIND_NOW|Flags: .*NOW' 'has no full RELRO: it is bound lazily'
has 'GNU_STACK .* RW ' 'has a stack that can be executed'
case $(uname -m) in
  x86_64)
    has 'SHSTK' 'has no shadow stack'
    readelf -W -n "${program%/pawl}/main.o" | grep IBT >/dev/null || { echo 'main.o has no control-flow protection'; exit 1; }
    ;;
  aarch64)
    readelf -W -n "${program%/pawl}/main.o" | grep -E 'BTI|PAC' >/dev/null || { echo 'main.o has no branch protection'; exit 1; }
    ;;
esac
nm -D "$program" | grep __stack_chk_fail >/dev/null || { echo "$program: has no stack protector"; exit 1; }
# The debugging information contains the compiler's flags. Fortifying needs optimisation.
if ! grep -qa -- ' -O0' "$program"; then
  nm -D "$program" | grep -E '__[a-z]+_chk' >/dev/null || { echo "$program: is not fortified"; exit 1; }
fi
