# The accepted profile is stored pruned next to the baseline, and a later run draws the difference.
# It does not affect verdicts.

mk_burner
mk_scenario a <<YAML
target: { command: [./burner, "60"] }
warmup: { runs: 0 }
measure: { runs: 5 }
profile: { frequency: 997, samples: 150, duration: 5s }
gates: { task-clock: +900% }
YAML
pruned() { find baselines/a -name '*.folded'; }

expect 0 run
profiled a
[[ ! -e $folder/diff.svg ]] || fail 'there is a difference from nothing'
expect 0 baseline update
[[ -s $(pruned) ]] || fail "no pruned profile: $(ls baselines/a)"
sum() { awk '{ s += $NF } END { printf "%.0f", s }' "$1"; }
[[ $(sum "$(pruned)") == "$(sum pawl-out/latest/a/stacks.folded)" ]] || fail 'the pruned profile does not weigh what the profile did'
expect 0 run
grep -q 'now' "$folder/diff.svg" || fail 'no difference, or without labels'
# Without a change no frame is coloured.
grep -q 'no frame is coloured' "$folder/diff.svg" || fail 'the key does not say that nothing changed'
! grep -Eq 'class="f [rb][1-9]' "$folder/diff.svg" || fail 'there are colours although nothing changed'
# The page holds both pictures, without scripts. So does a page made again elsewhere, without links to files.
pictures_in() {
  has "$1" 'aria-label="Flame graph of a"' 'aria-label="Flame graph of a, coloured by what changed"' 'no frame is coloured'
  lacks "$1" '<script' 'href="/' 'class="f '
}
pictures_in pawl-out/latest/report.html
has pawl-out/latest/report.html '<a href="./a/flamegraph.svg">' '<a href="./a/diff.svg">'
cp -r pawl-out/latest/. moved/
expect 0 report moved --format html -o again.html
pictures_in again.html
lacks again.html 'href="./'
expect 0 compare moved pawl-out/latest --format html -o compared.html
pictures_in compared.html
# If stacks are missing or are a link, only the picture is lost.
rm moved/a/diff.base.folded moved/a/stacks.folded
ln -s "$PWD/pawl-out/latest/a/stacks.folded" moved/a/stacks.folded
expect 0 report moved --format html -o without.html
lacks without.html 'aria-label="Flame graph'
expect 0 check

# With a commit as judge, the stacks of the working tree do not count.
mk_repo
sed -i 's/hot/other/' "$(pruned)"
expect 0 run --judge HEAD
! grep -q '>other' "$folder/diff.svg" || fail "the stacks of the working tree were drawn"
git checkout -q -- baselines

# Accepting from a moved result works. A new baseline without a profile drops the old profile.
mkdir elsewhere
cp -r pawl-out/latest/. elsewhere/
rm -r baselines
expect 0 baseline update --from elsewhere --reason moved
[[ -s $(pruned) ]] || fail 'no pruned profile from the stored run'
expect 0 baseline update --no-profile --reason plain
[[ -s $(pruned) ]] || fail 'a session without a profile took the stacks of the profile that is kept'
sed -i 's/"60"/"61"/' scenarios/a.yaml
expect 0 baseline update --no-profile --reason 'another scenario'
[[ -z $(pruned) ]] || fail 'the stacks of another profile are left'

# A damaged profile loses the picture, and a note says so.
expect 0 baseline update --reason 'with a profile'
printf 'no weight here\n' >"$(pruned)"
expect 0 run
[[ ! -e $folder/diff.svg ]] || fail 'there is a picture of a damaged one'
result '.scenarios[0].notes[]' | grep 'no picture of the difference' >/dev/null || fail 'it was not told'
lacks "$out" a/diff.svg
ln -sf /etc/passwd "$(pruned)"
expect 0 run
result '.scenarios[0].notes[]' | grep 'is a symbolic link' >/dev/null || fail 'a link was followed'

# If the profile cannot be stored, the baseline is not accepted at all.
file=$(pruned)
before=$(cat "${file%.folded}.json")
rm "$file"
mkdir "$file"
sed -i 's/"61"/"62"/' scenarios/a.yaml
expect 3 baseline update --reason 'no room'
[[ $(cat "${file%.folded}.json") == "$before" ]] || fail 'it was accepted, although it said that it was not'
