# Conflicting options and invalid values are refused before anything is measured.

mk_quick work
mkdir old
refused() {
  local words=$1
  shift
  expect 2 run "$@"
  has "$err" "$words"
}
refused '--head: compare with what?' work --head old
expect 128 run work --bisect --base none
has "$err" '--bisect: compare with what?'
refused 'compares two; leave one of them out' work --base old --attach 1
refused '--seed: expected' work --base old --seed 0
refused 'nor is there a folder of that name' work --base nowhere
refused '--base: there is no folder ./nowhere' work --base ./nowhere
refused '--head: ' work --base old --head nowhere
refused "there is no scenario 'nothing'" nothing --base old
refused 'there is no scenario file' no/such.yaml --base old
refused "no scenario has the tag 'slow'" --base old --tag slow
refused 'unknown option --bse; did you mean --base?' --bse x
mk_scenario runs 'target: { pid: 1 }' 'measure: { window: 1s }'
refused 'target.pid runs already' runs --base old
refused 'give one of them' work --base old --explain --no-explain
refused 'give one of them' work --explain --no-explain
echo 'zoom: 1' >>scenarios/work.yaml
refused 'unknown key' --base old
# Options of earlier versions are answered by what replaces them, in every command.
while IFS='|' read -r option instead; do
  for command in run ab check; do
    expect 2 "$command" "$option" x
    has "$err" "there is no $option any more: $instead"
  done
done <<'END'
--base-ref|pawl run SCENARIO --base REF
--head-ref|pawl run SCENARIO --base REF --head REF
--base-cmd|pawl ab 'OLD' 'NEW'
--head-cmd|pawl ab 'OLD' 'NEW'
--baseline-ref|it is --judge REF
--baselines|pawl.yaml says where they lie
--gates|the gates of all scenarios
--floor|pawl.yaml or the scenario says it
--lines|callgrind_annotate and kcachegrind show lines of the callgrind.out files
END
expect 2 explain work
has "$err" "there is no command 'explain' any more: pawl run SCENARIO --base REF --explain looks for the cause"
expect 2 list
has "$err" "there is no command 'list' any more: pawl check lists what would run"
nothing_measured
