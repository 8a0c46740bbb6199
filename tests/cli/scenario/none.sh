# A project without scenarios is misuse, not a pass.

refused() {
  expect 2 "$@"
  cat "$err"
  nothing_measured
}
refused run
mkdir scenarios
refused run
echo 'not a scenario' >scenarios/README.md
refused check
refused check
refused baseline update
