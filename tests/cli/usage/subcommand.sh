# Subcommands of `baseline` are checked as commands are.

expect 2 baseline
cat "$err"
expect 2 baseline updte
cat "$err"
expect 2 baseline xyzzyq
cat "$err"
