# Invalid calibrations are refused before anything is measured.

mk_quick b
expect 2 calibrate
has "$err" 'say which'
expect 2 calibrate nobody
has "$err" "there is no scenario 'nobody'"
expect 2 calibrate b --runs 2000
has "$err" '--runs: expected at most 1000 pairs, found 2000'
expect 2 calibrate b --write
has "$err" 'there is no --write any more: write a tolerance that `pawl calibrate` found into the gates of the scenario'
echo 'calibration: found.yaml' >pawl.yaml
expect 2 check b
has "$err" "pawl.yaml:1:1: the key 'calibration' is gone; "
nothing_measured
