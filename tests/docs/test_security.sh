#!/bin/bash
# docs/explanation/security.md: each way for a change to pass its own gates names the test that tries it, and each such
# test has a row.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
failures=0
name='docs: each way to become green names the test that tries it'
bad() {
  [[ $failures -gt 0 ]] || echo "FAIL  $name"
  echo "      | $*"
  failures=$((failures + 1))
}

table=$(sed -n '/^## A change that would make itself green/,/^## Rights/p' "$root/docs/explanation/security.md" | grep '^|' | tail -n +3)
[[ $(wc -l <<<"$table") -ge 16 ]] || bad "the table has $(wc -l <<<"$table") rows"
while IFS= read -r row; do
  tests=$(awk -F' [|] *' '{ print $3 }' <<<"${row#| }" | grep -oE '[a-z]+/[a-z_-]+')
  [[ -n $tests ]] || bad "no test is named: $row"
  for test in $tests; do
    [[ -s $root/tests/cli/$test.sh || -s $root/tests/unit/test_${test#unit/}.c ]] || bad "there is no test $test: $row"
  done
done <<<"$table"
for file in "$root"/tests/cli/judge/*.sh; do
  test=judge/$(basename "$file" .sh)
  [[ $test == judge/behind ]] || grep -qF "\`$test\`" <<<"$table" || bad "$test has no row"
done
[[ $failures -gt 0 ]] || echo "ok    $name"
exit $((failures > 0))
