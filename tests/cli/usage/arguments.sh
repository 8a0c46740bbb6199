# Too few or too many arguments, and unknown scenarios.

mk_quick a
refused() {
  expect 2 "$@"
  cat "$err"
}
refused compare one
refused compare one two three
refused run nope
refused run nope.yaml
refused run ./nope
refused help nope
refused report
refused report nope
refused baseline show nope
refused doctor nope
nothing_measured
