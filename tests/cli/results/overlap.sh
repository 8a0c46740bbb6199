# A scenario in two results is misuse: nobody could tell which one counts.
. "$LIB"

mk_quick a
mk_quick b
expect 0 run --out one
expect 0 run --out two a
expect 2 report one two
cat "$err"
expect 2 report two two
