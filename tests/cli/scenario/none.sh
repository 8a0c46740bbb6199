# A project without scenarios is misuse, not a pass.

refused run
mkdir scenarios
refused run
echo 'not a scenario' >scenarios/README.md
refused check
refused check
refused baseline update
nothing_measured
