# A dozen pairs promise nothing. A target that fails is reported.

mk_quick b 'sleep 0.1'
echo 'zoom: 1' >scenarios/faulty.yaml
expect 0 calibrate b --runs 12 --seed 7
has "$out" 'b: 12 pairs of one program against itself' 'none is promised: 12 pairs are too few' 'What this does not show:' \
  'Other machines' 'Stored baselines' 'seed 7'
has "$err" 'scenarios/faulty.yaml has faults: its gates are not counted'
holds '.scenarios[0].metrics | map(select(.metric == "page-faults"))[0] | .found_pct == null and .pairs == 12' \
  pawl-out/latest/calibration.json
# The reports describe the calibration, not the comparison behind it.
cmp "$out" pawl-out/latest/calibration.txt || fail 'calibration.txt is not what was printed'
for file in report.md report.html junit.xml; do
  [[ ! -e pawl-out/latest/$file ]] || fail "there is a $file"
done
[[ -s pawl-out/latest/result.json ]] || fail 'the raw values are not kept'
# The metric is shown even without a gate on it.
holds '.scenarios[0].metrics | any(.metric == "task-clock" and .gated == false)' pawl-out/latest/calibration.json

mk_quick broken 'exit 3'
expect 3 calibrate broken --runs 12 --json
holds '.scenarios[0].failure | test("base|head")' "$out"
