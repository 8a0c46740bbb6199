# A scenario in two results is misuse, because they contradict each other.

mk_quick a
mk_quick b
expect 0 run --out one
expect 0 run --out two a
expect 2 report one two
sed 's/times of [a-z0-9._-]*/times of CLASS/' "$err"
expect 2 report two two
