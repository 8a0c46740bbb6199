# A series that rises twelvefold is not called "no change", though it has too few commits to prove a change.
. "$LIB"
export LC_ALL=C

mk_commits 16
mk_archive few 48 49 48 110 111 280 281 400 622 623
expect 0 history --from few
cat "$out"
# Five high values at the end of sixteen are too likely by chance to prove a change.
mk_archive late 48 49 50 48 49 50 48 49 50 48 49 623 624 625 626 627
expect 0 history --from late
cat "$out"
