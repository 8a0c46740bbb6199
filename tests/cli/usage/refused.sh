# Misuse is refused before anything is measured, and the error says what was expected or meant.

mk_quick a
echo -- too few or too many arguments, and unknown scenarios
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
echo -- commands and subcommands, with and without a similar one
refused rnu
refused frobnicate
refused baseline
refused baseline updte
refused baseline xyzzyq
echo -- options
refused run --strcit
refused run -x
refused compare --reason x a b
refused run --color never --help --bogus
echo -- values that are missing, invalid or unwanted
refused run --runs
refused run --runs=x
refused run --runs 0
refused run --runs=-3
refused run --runs 10001
refused run --runs 99999999999999999999
refused run --budget soon
refused run --budget 0s
refused run --color=maybe
refused run --color
refused check --json=1
refused compare --format yaml a b
refused check --shard 3/2
refused check --shard 0/2
refused check --shard 1
refused check --shard 1/2/3
nothing_measured
