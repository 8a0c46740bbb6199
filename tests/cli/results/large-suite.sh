# Reports of 500 scenarios: a comment stays below GitHub's limit and begins with what is worst, and the other formats have them all.

for verdict in pass regression; do
  jq --argjson n 500 --arg verdict $verdict -f "${LIB%/cli/lib.sh}/fixtures/suite.jq" "${LIB%/cli/lib.sh}/fixtures/result.json" >$verdict.json
  status=$([[ $verdict == pass ]] && echo 0 || echo 1)
  expect "$status" report $verdict.json --format markdown
  cp "$out" $verdict.md
  [[ $(wc -m <$verdict.md) -lt 65536 ]] || fail "$(wc -m <$verdict.md) characters"
  has $verdict.md '500 scenarios' '</details>'
  expect "$status" report $verdict.json --format html -o page.html
  [[ $(grep -c '<section class="card' page.html) -eq 500 && $(wc -c <page.html) -lt 8000000 ]] || fail "html: $(wc -c <page.html) bytes"
  expect "$status" report $verdict.json --format junit -o junit.xml
  [[ $(grep -c '<testsuite ' junit.xml) -eq 500 && $(wc -c <junit.xml) -lt 4000000 ]] || fail "junit: $(wc -c <junit.xml) bytes"
  expect "$status" report $verdict.json --json
  # What was written can be read again.
  cp "$out" again.json
  expect "$status" report again.json --json
  cmp "$out" again.json
done
# Of the gates that failed most fit, the worst before the fold, and the rest is counted.
[[ $(grep -c '^| \*\*REGRESSION\*\* ' regression.md) -gt 300 ]] || fail "$(grep -c '^| \*\*REGRESSION\*\* ' regression.md) rows"
[[ $(grep -n '<details>' regression.md | cut -d: -f1) -lt 80 ]] || fail 'the fold begins late'
