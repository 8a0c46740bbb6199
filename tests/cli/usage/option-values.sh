# Missing, invalid and unwanted values are misuse, and the error says what was expected.

mk_quick a
refused() {
  expect 2 "$@"
  cat "$err"
}
refused run --runs
refused run --runs=x
refused run --runs 0
refused run --runs=-3
refused run --runs 99999999999999999999
refused run --budget soon
refused run --color=maybe
refused run --color
refused check --json=1
refused compare --format yaml a b
refused check --shard 3/2
refused check --shard 0/2
refused check --shard 1
refused check --shard 1/2/3
nothing_measured
