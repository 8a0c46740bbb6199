# A regression comes with a profile of each side and a picture of the difference. --no-profile is obeyed.

mk_burner
# One recording per side is enough here. Each takes seconds on a busy machine.
mk_scenario burn <<'YAML'
target: { command: [sh, -c, "./burner $(cat ms)"] }
gates: { task-clock: default }
profile: { frequency: 997, samples: 300, duration: 100ms }
YAML
echo 50 >ms
cp -r . "$CASE_DIR/base"
echo 150 >ms
expect 1 run burn --base ../base --no-explain
for file in stacks.folded flamegraph.svg top.md diff.svg base/stacks.folded base/flamegraph.svg; do
  [[ -s pawl-out/latest/burn/$file ]] || fail "no $file: $(find pawl-out/latest/burn)"
done
has pawl-out/latest/burn/diff.svg '../base' 'working tree'
has "$out" 'hot'
holds '.scenarios[0].difference and .scenarios[0].profile != null'
# No regression and no gate on symbols: no profile is taken.
expect 0 run burn --base . --runs 2
[[ ! -e pawl-out/latest/burn/stacks.folded ]] || fail 'a profile was taken'
# A gate on symbols needs both profiles.
sed -i 's/^gates:.*/gates: { task-clock: +900%, symbols: { rise: 1pp } }/' scenarios/burn.yaml
expect 0 run burn --base ../base --runs 1
[[ -s pawl-out/latest/burn/base/stacks.folded ]] || fail 'no profile was taken'
expect 0 run burn --base ../base --runs 1 --no-profile
[[ ! -e pawl-out/latest/burn/stacks.folded ]] || fail 'a profile was taken'
