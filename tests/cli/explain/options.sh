# What `pawl explain` and the options --explain and --no-explain refuse before anything is measured.
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
refused 'unknown option --no-explain' explain work --no-explain
refused 'unknown option --lines' ab work --base old --lines
refused "compare work with what? --base-ref REF is a commit, --base DIR a tree that is built already: pawl.yaml does not say how to build the base" explain work
refused "there is no scenario 'nothing'" explain nothing
refused 'go together' explain --base-cmd true
refused '--base: there is no folder nowhere' explain work --base nowhere
echo 'build: "true"' >pawl.yaml
refused 'it has no baseline' explain work
