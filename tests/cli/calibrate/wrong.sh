# What cannot be calibrated is told before anything is measured.
. "$LIB"

mk_quick b
expect 2 calibrate
has "$err" 'say which'
expect 2 calibrate nobody
has "$err" "there is no scenario 'nobody'"
expect 2 calibrate b --runs 2000
has "$err" '--runs: expected at most 1000 pairs, found 2000'
expect 2 calibrate b --floor soon
has "$err" '--floor: expected'

# The file is read strictly wherever pawl.yaml names it, and only calibrating makes one.
echo 'calibration: found.yaml' >pawl.yaml
expect 2 run b
has "$err" 'pawl.yaml: calibration: there is no file found.yaml; `pawl calibrate --write` makes it'
printf '%s\n' 'version: 1' 'entries:' '  - { machine: m, scenario: b, date: 2026-11-21T09:12:33Z, pairs: 80, tolerances: { x: 0% } }' >found.yaml
for command in run check calibrate; do
  expect 2 "$command" b
  has "$err" 'found.yaml:3:' 'entries.tolerances.x: expected a tolerance above 0% and up to 100%' '^'
done
nothing_measured

# A file that cannot be written into later is told now.
echo 'classes:' >calibration.yaml
rm -f pawl.yaml
expect 2 calibrate b --write
has "$err" 'calibration.yaml is faulty (line 1: '
