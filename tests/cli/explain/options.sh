# --explain and --no-explain exclude each other, before anything is measured. Errors name the replacements of
# --lines and pawl explain.
. "$LIB"

mk_quick work
mkdir old
refused() {
  local words=$1
  shift
  expect 2 "$@"
  has "$err" "$words"
}
refused 'give one of them' ab work --base old --explain --no-explain
refused 'give one of them' run work --explain --no-explain
refused 'there is no --lines: callgrind_annotate and kcachegrind show lines of the callgrind.out files' ab work --base old --lines
refused "there is no command 'explain' any more: pawl ab SCENARIO --base-ref REF --explain looks for the cause" explain work
nothing_measured
