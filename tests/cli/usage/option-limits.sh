# Options have the same limits as the keys of a scenario.

mk_quick a
expect 2 run --budget 0s
has "$err" 'above zero'
expect 2 run --runs 10001
has "$err" 'from 1 to 10000'
expect 2 run --runs 0
