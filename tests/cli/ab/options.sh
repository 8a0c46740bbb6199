# Conflicting options and invalid values are refused before anything is measured.
. "$LIB"

mk_quick work
mkdir old
refused() {
  local words=$1
  shift
  expect 2 ab "$@"
  has "$err" "$words"
}
refused 'compare with what?'
refused 'compare with what?' work --head old
refused 'give one of them' --base old --base-ref main
refused 'give one of them' --base old --head old --head-ref main
refused 'go together' --base-cmd true
refused 'go together' --head-cmd true --base old
refused 'leave out --base' --base-cmd true --head-cmd true --base old
refused 'leave out --head-ref' --base-cmd true --head-cmd true --head-ref main
refused 'leave out work' work --base-cmd true --head-cmd true
refused 'leave out --tag slow' --base-cmd true --head-cmd true --tag slow
refused '--tolerance is for' work --base old --tolerance 5%
refused '--tolerance: expected' --base-cmd true --head-cmd true --tolerance soon
refused '--tolerance: expected a percentage above 0%' --base-cmd true --head-cmd true --tolerance=-3%
refused '--floor: expected' work --base old --floor much
refused '--floor: expected a percentage from 0% to 50%' work --base old --floor 51%
refused '--seed: expected' work --base old --seed 0
refused '--gates: expected' work --base old --gates 0
refused '--base: there is no folder nowhere' work --base nowhere
refused '--head: there is no folder nowhere' work --base old --head nowhere
refused "there is no scenario 'nothing'" nothing --base old
refused 'there is no scenario file' no/such.yaml --base old
refused "no scenario has the tag 'slow'" --base old --tag slow
refused 'unknown option --base-comand; did you mean --base-cmd?' --base-comand x
mk_scenario runs <<'YAML'
target: { pid: 1 }
measure: { window: 1s }
YAML
refused 'target.pid runs already' runs --base old
echo 'zoom: 1' >>scenarios/work.yaml
refused 'unknown key' --base old
nothing_measured
