# --explain and --no-explain exclude each other, before anything is measured. Errors name the replacements of
# --lines and pawl explain.

mk_quick work
mkdir old
refused() {
  local words=$1
  shift
  expect 2 "$@"
  has "$err" "$words"
}
refused 'give one of them' run work --base old --explain --no-explain
refused 'give one of them' run work --explain --no-explain
refused 'there is no --lines any more: callgrind_annotate and kcachegrind show lines of the callgrind.out files' run work --base old --lines
refused "there is no command 'explain' any more: pawl run SCENARIO --base REF --explain looks for the cause" explain work
nothing_measured
