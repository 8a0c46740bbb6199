# The words of `baseline` are checked like commands.
. "$LIB"

expect 2 baseline
cat "$err"
expect 2 baseline updte
cat "$err"
expect 2 baseline xyzzyq
cat "$err"
