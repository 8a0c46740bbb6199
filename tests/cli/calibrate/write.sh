# What is written is kept beside what is there, named in pawl.yaml, and then judged by in pairs.
. "$LIB"

mk_scenario b <<'YAML'
target: { command: "sleep 0.1" }
gates: { page-faults: default, voluntary-switches: +80% }
YAML
printf '%s\n' 'version: 1' 'entries:' \
  '  - { machine: other-sw, scenario: b, date: 2026-11-21T09:12:33Z, pairs: 80, tolerances: { page-faults: 9% } }' >calibration.yaml
expect 0 calibrate b --runs 41 --write
has "$err" 'calibration.yaml: 1 scenario written' 'add this line to pawl.yaml: calibration: calibration.yaml'
has calibration.yaml 'machine: "other-sw"' '"page-faults": 9%' 'pairs: 41'
class=$(result .machine pawl-out/latest/calibration.json)
has calibration.yaml "machine: \"$class\""

# A tolerance that nobody else would come upon. The scenario's own stands.
echo 'calibration: calibration.yaml' >pawl.yaml
awk -v class="$class" '/machine:/ { mine = index($0, class) } mine { sub(/: [0-9.]+%/, ": 77%") } { print }' calibration.yaml >new
mv new calibration.yaml
has calibration.yaml '"page-faults": 77%'
expect 0 ab b --base . --runs 10 -v
holds '.scenarios[0].gates | map(select(.metric == "page-faults"))[0].tolerance_pct == 77'
holds '.scenarios[0].gates | map(select(.metric == "voluntary-switches"))[0].tolerance_pct == 80'
has "$out" 'page-faults: tolerance 77 % as calibrated (calibration.yaml)'
lacks "$out" 'voluntary-switches: tolerance'

# Of another machine class nothing counts.
sed -i "s/$class/elsewhere/" calibration.yaml
expect 0 ab b --base . --runs 10
holds '.scenarios[0].gates | map(select(.metric == "page-faults"))[0].tolerance_pct == 1'
